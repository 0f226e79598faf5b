import { isAbsolute, relative, resolve } from 'node:path';

/**
 * Returns a path in the form used by events: relative to the top of the working tree, with forward slashes. A
 * path outside stays absolute, because `../../etc` would mean something else in another checkout.
 */
export function pathInCheckout(path: string, root: string): string {
  const full = resolve(root, path);
  const inside = relative(root, full);
  return (inside.startsWith('..') || isAbsolute(inside) ? full : inside).replaceAll('\\', '/');
}
