import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localPath, pathInCheckout } from './path-in-checkout.ts';

it('returns a path relative to the top of the working tree, or the absolute path if it is outside', () => {
  const root = resolve('/work/repo');
  const slashed = (path: string) => resolve(path).replaceAll('\\', '/');
  expect(pathInCheckout(resolve(root, 'src/a.ts'), root)).toBe('src/a.ts');
  expect(pathInCheckout('src/../src/a.ts', root)).toBe('src/a.ts');
  expect(pathInCheckout(resolve('/work/repository/a.ts'), root)).toBe(slashed('/work/repository/a.ts'));
});

it('returns the composed form of a name on macOS, where either form leads to the file', () => {
  const [composed, decomposed] = [
    '/work/Büro/Grüße.ts'.normalize('NFC'),
    '/work/Büro/Grüße.ts'.normalize('NFD'),
  ];
  for (const path of [composed, decomposed])
    for (const root of ['/work/Büro'.normalize('NFC'), '/work/Büro'.normalize('NFD')])
      expect(pathInCheckout(path, root, 'darwin')).toBe('Grüße.ts'.normalize('NFC'));
  expect(pathInCheckout(decomposed, '/work', 'linux')).toBe('Büro/Grüße.ts'.normalize('NFD'));
});

describe('a path from an agent on Windows', () => {
  it.each([
    ['C:\\work\\a.ts', 'C:\\work\\a.ts'],
    ['c:\\work\\a.ts', 'C:\\work\\a.ts'],
    ['c:/work/a.ts', 'C:\\work\\a.ts'],
    ['/c/work/a.ts', 'C:\\work\\a.ts'],
    ['/c:/work/a.ts', 'C:\\work\\a.ts'],
    ['/cygdrive/d/work', 'D:\\work'],
    ['/c', 'C:\\'],
    ['D:', 'D:\\'],
  ])('%s is %s', (given, local) => {
    expect(localPath(given, 'win32')).toBe(local);
  });

  it.each(['src/a.ts', 'c/a.ts', '/tmp/a', '\\\\server\\share\\a.ts', 'C:a.ts', '', '/'])(
    '%s stays',
    (given) => {
      expect(localPath(given, 'win32')).toBe(given);
    },
  );

  it('is an ordinary path elsewhere', () => {
    expect(localPath('/c/work/a.ts', 'linux')).toBe('/c/work/a.ts');
  });
});
