import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { pathInCheckout } from './path-in-checkout.ts';

it('returns a path relative to the top of the working tree, or the absolute path if it is outside', () => {
  const root = resolve('/work/repo');
  const slashed = (path: string) => resolve(path).replaceAll('\\', '/');
  expect(pathInCheckout(resolve(root, 'src/a.ts'), root)).toBe('src/a.ts');
  expect(pathInCheckout('src/../src/a.ts', root)).toBe('src/a.ts');
  expect(pathInCheckout(resolve('/work/repository/a.ts'), root)).toBe(slashed('/work/repository/a.ts'));
});
