import { BlockList, isIP } from 'node:net';
import { AppError } from '../../base/errors.ts';

/**
 * The address of a client, for limits. Behind a reverse proxy the peer is always the proxy, which names the client in
 * X-Forwarded-For or Forwarded. Anybody can send those headers, so they count only if the peer is a trusted proxy,
 * and only as far as trusted proxies wrote them: the client is the rightmost address that is not a trusted proxy's.
 */
export type ClientAddress = (
  peer: string | undefined,
  header: (name: string) => string | undefined,
) => string;

/** `proxies` as `--trusted-proxy` takes them: addresses and CIDR ranges, separated by commas. */
export function clientAddressBehind(proxies: string | undefined): ClientAddress {
  const trusted = trustedProxies(proxies);
  const isTrusted = (address: string): boolean =>
    trusted !== undefined &&
    isIP(address) !== 0 &&
    trusted.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
  const behind = (hops: string[]): string | undefined => hops.map(plain).findLast((hop) => !isTrusted(hop));
  return (peer = '', header) => {
    const own = plain(peer);
    if (!isTrusted(own)) return own;
    const [forwardedFor, forwarded] = [header('x-forwarded-for'), header('forwarded')];
    const named = [
      ...(forwardedFor === undefined ? [] : [behind(forwardedFor.split(','))]),
      ...(forwarded === undefined ? [] : [behind(hopsOf(forwarded))]),
    ];
    // A proxy writes one of the two and may pass the other on as the client sent it. If they disagree, neither counts.
    const [first] = named;
    const isUsable = first !== undefined && isIP(first) !== 0 && named.every((one) => one === first);
    return isUsable ? first : own;
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

/** The `for` of each element of a Forwarded header (RFC 7239). */
const hopsOf = (header: string): string[] =>
  header.split(',').map((element) => /(?:^|;)\s*for="?([^";]+)/i.exec(element)?.[1] ?? '');

/** Without port, brackets and the prefix of an IPv4 address that came over IPv6. */
function plain(hop: string): string {
  const address = hop.trim().replace(/^\[([^\]]*)\](?::\d+)?$/, '$1');
  const withoutPort = /^\d+\.\d+\.\d+\.\d+:\d+$/.test(address) ? address.replace(/:\d+$/, '') : address;
  return withoutPort.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
}
