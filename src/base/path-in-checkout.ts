import { isAbsolute, relative, resolve } from 'node:path';

/**
 * As events name a file: below the top of the working tree by its way from there, with slashes everywhere. Outside it
 * stays whole: `../../etc` would mean something else in another checkout.
 */
export function pathInCheckout(path: string, root: string): string {
  const full = resolve(root, path);
  const inside = relative(root, full);
  return (inside.startsWith('..') || isAbsolute(inside) ? full : inside).replaceAll('\\', '/');
}
