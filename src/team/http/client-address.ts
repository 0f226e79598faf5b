import { BlockList, isIP } from 'node:net';
import { AppError } from '../../base/errors.ts';

/**
 * Determines the address of a client, for rate limits. Behind a reverse proxy the peer is always the proxy, which names
 * the client in X-Forwarded-For or Forwarded. Any client can send those headers, so they are used only if the peer is a
 * trusted proxy, and only the part that trusted proxies wrote: the client is the rightmost address that is not a trusted
 * proxy.
 */
export type ClientAddress = (
  peer: string | undefined,
  header: (name: string) => string | undefined,
) => string;

/** `proxies` is the value of `--trusted-proxy`: addresses and CIDR ranges, separated by commas. */
export function clientAddressBehind(proxies: string | undefined): ClientAddress {
  const trusted = trustedProxies(proxies);
  const isTrusted = (address: string): boolean =>
    trusted !== undefined &&
    isIP(address) !== 0 &&
    trusted.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
  const clientOf = (hops: string[]): string | undefined =>
    hops.map(normalized).findLast((hop) => !isTrusted(hop));
  return (peer = '', header) => {
    const peerAddress = normalized(peer);
    if (!isTrusted(peerAddress)) return peerAddress;
    const [forwardedFor, forwarded] = [header('x-forwarded-for'), header('forwarded')];
    const clients = [
      ...(forwardedFor === undefined ? [] : [clientOf(forwardedFor.split(','))]),
      ...(forwarded === undefined ? [] : [clientOf(hopsOf(forwarded))]),
    ];
    // A proxy writes one of the two headers and may pass the other on as the client sent it. If they disagree, use neither.
    const [first] = clients;
    const isUsable = first !== undefined && isIP(first) !== 0 && clients.every((one) => one === first);
    return isUsable ? first : peerAddress;
  };
}

function trustedProxies(given: string | undefined): BlockList | undefined {
  if (given === undefined || given.trim() === '') return undefined;
  const list = new BlockList();
  for (const range of given.split(',').map((one) => one.trim())) {
    const [address = '', prefix, ...more] = range.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    const longest = family === 'ipv4' ? 32 : 128;
    const length = prefix === undefined ? longest : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1;
    if (isIP(address) === 0 || more.length > 0 || length < 0 || length > longest)
      throw new AppError(
        'INVALID_ARGUMENT',
        `--trusted-proxy takes addresses and CIDR ranges, not "${range}"`,
        {
          hint: '--trusted-proxy 10.0.0.0/8,fd00::/8',
        },
      );
    list.addSubnet(address, length, family);
  }
  return list;
}

/** Reads the `for` parameter of each element of a Forwarded header (RFC 7239). */
const hopsOf = (header: string): string[] =>
  header.split(',').map((element) => /(?:^|;)\s*for="?([^";]+)/i.exec(element)?.[1] ?? '');

/** Removes port, brackets and the prefix of an IPv4-mapped IPv6 address. */
function normalized(hop: string): string {
  const address = hop.trim().replace(/^\[([^\]]*)\](?::\d+)?$/, '$1');
  const withoutPort = /^\d+\.\d+\.\d+\.\d+:\d+$/.test(address) ? address.replace(/:\d+$/, '') : address;
  return withoutPort.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
}
