import { AppError } from '../../base/errors.ts';

type Header = (name: string) => string | undefined;

/**
 * Whether an origin is this server's own. It is compared with the configured public URL, otherwise with the host that the
 * proxy forwards, otherwise with the Host header. A page cannot make a browser change any of them.
 */
export function isOwnOrigin(origin: string, header: Header, publicUrl: string | undefined): boolean {
  if (publicUrl !== undefined) return origin === new URL(publicUrl).origin;
  const [own = ''] = (header('x-forwarded-host') ?? header('host') ?? '').split(',');
  const host = URL.parse(origin)?.host ?? '';
  return host !== '' && host === own.trim().toLowerCase();
}

/**
 * Refuses requests of pages from other origins, with which a browser would send its cookie for this server. Clients that
 * are not browsers send no Origin header.
 */
export function checkOrigin(header: Header, publicUrl: string | undefined): void {
  const origin = header('origin');
  if (origin === undefined || isOwnOrigin(origin, header, publicUrl)) return;
  throw new AppError('FORBIDDEN', 'cross-origin requests are not allowed', {
    hint: 'Send the request from a page of this server, or without an Origin header',
  });
}
