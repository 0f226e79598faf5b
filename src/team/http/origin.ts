import { AppError } from '../../base/errors.ts';

type Header = (name: string) => string | undefined;

/**
 * Whether this origin is ours: where we were told that people reach us, else by the name that a proxy says it was
 * asked for, else by the name in the request itself. No page can set any of them for a browser.
 */
export function isOwnOrigin(origin: string, header: Header, publicUrl: string | undefined): boolean {
  if (publicUrl !== undefined) return origin === new URL(publicUrl).origin;
  const [own = ''] = (header('x-forwarded-host') ?? header('host') ?? '').split(',');
  const from = URL.parse(origin)?.host ?? '';
  return from !== '' && from === own.trim().toLowerCase();
}

/**
 * A page of another origin can make a browser open a line to anywhere, and the browser sends along what it has for
 * us. Whoever is no browser names no origin.
 */
export function checkOrigin(header: Header, publicUrl: string | undefined): void {
  const origin = header('origin');
  if (origin === undefined || isOwnOrigin(origin, header, publicUrl)) return;
  throw new AppError('FORBIDDEN', 'pages of other origins are not answered', {
    hint: 'Ask from a page of this server, or from a program',
  });
}
