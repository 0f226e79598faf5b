import { AppError } from '../../base/errors.ts';

/**
 * A page of another origin can make a browser open a line to anywhere, and the browser sends along what it has for
 * us. Whoever is no browser names no origin.
 */
export function checkOrigin(header: (name: string) => string | null | undefined): void {
  const origin = header('origin');
  if (origin === null || origin === undefined) return;
  const from = URL.parse(origin)?.host ?? '';
  // No page can set either of the others, so a proxy's word for our name is as good as the name itself.
  if (from !== '' && (from === header('host') || from === header('x-forwarded-host'))) return;
  throw new AppError('FORBIDDEN', 'pages of other origins are not answered', {
    hint: 'Ask from a page of this server, or from a program',
  });
}
