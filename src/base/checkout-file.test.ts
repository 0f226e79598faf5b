import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { canCreateLinks } from '../../test/support/symbolic-links.ts';
import {
  createFolderGuard,
  entryAt,
  findCheckoutFile,
  listCheckoutFolder,
  readCheckoutFile,
  readCheckoutText,
} from './checkout-file.ts';

const top = realpathSync(mkdtempSync(join(tmpdir(), 'backstory-checkout-')));
afterAll(() => rmSync(top, { recursive: true, force: true }));

const root = join(top, 'checkout');
mkdirSync(join(root, 'docs', 'deep'), { recursive: true });
mkdirSync(join(top, 'outside'));
writeFileSync(join(top, 'outside', 'secret.md'), 'outside');
writeFileSync(join(root, 'CLAUDE.md'), 'rules');
writeFileSync(join(root, 'docs', 'a.md'), 'a');
const link = (target: string, path: string): void => symlinkSync(target, join(root, path));
const read = (path: string): string => {
  const file = readCheckoutFile(root, path, 1_000);
  return file.kind === 'file' ? file.bytes.toString() : file.kind;
};

describe('files of a checkout', () => {
  it('are read by relative or absolute path', () => {
    expect(read('docs/a.md')).toBe('a');
    expect(read(join(root, 'docs', 'a.md'))).toBe('a');
    expect(readCheckoutText(root, 'docs/a.md', 1_000)).toBe('a');
    expect(readCheckoutFile(root, 'CLAUDE.md', 4).kind).toBe('large');
  });

  it('are reported as absent only if nothing is there and the checkout exists', () => {
    expect(read('none')).toBe('absent');
    expect(read('CLAUDE.md/none')).toBe('absent');
    expect(readCheckoutFile(join(top, 'gone'), 'a.md', 10).kind).toBe('refused');
  });

  it.runIf(canCreateLinks)('are read through links that stay inside', () => {
    link('CLAUDE.md', 'AGENTS.md');
    link('../CLAUDE.md', 'docs/up.md');
    link(join(root, 'CLAUDE.md'), 'absolute.md');
    link('docs', 'linked');
    link('linked/../docs/a.md', 'docs-a.md');
    expect(['AGENTS.md', 'docs/up.md', 'absolute.md'].map(read)).toEqual(['rules', 'rules', 'rules']);
    expect(read('linked/a.md')).toBe('a');
    expect(read('docs-a.md')).toBe('a');
    expect(findCheckoutFile(root, 'linked/a.md')?.path).toBe(join(root, 'docs', 'a.md'));
  });

  it.runIf(canCreateLinks)(
    'are not read through links that lead out, at the end of the path or in its middle',
    () => {
      link('../outside/secret.md', 'out.md');
      link(join(top, 'outside', 'secret.md'), 'docs/out.md');
      link('../outside', 'out');
      link('out', 'out-again');
      link('../checkout/CLAUDE.md', 'out-and-in.md');
      for (const path of ['out.md', 'docs/out.md', 'out/secret.md', 'out-again/secret.md', 'out-and-in.md'])
        expect(read(path), path).toBe('refused');
      expect(read('../outside/secret.md')).toBe('refused');
      expect(read(join(top, 'outside', 'secret.md'))).toBe('refused');
      expect(findCheckoutFile(root, 'out.md')).toBeUndefined();
      expect(listCheckoutFolder(root, 'out', 100)).toEqual([]);
    },
  );

  it.runIf(canCreateLinks)('are reached through a root that is itself a link', () => {
    symlinkSync(root, join(top, 'alias'));
    expect(readCheckoutText(join(top, 'alias'), 'docs/a.md', 10)).toBe('a');
    symlinkSync(join(top, 'alias', 'CLAUDE.md'), join(root, 'by-alias.md'));
    expect(readCheckoutText(join(top, 'alias'), 'by-alias.md', 10)).toBe('rules');
  });

  it.skipIf(process.platform === 'win32')(
    'are refused without blocking if they are not regular files',
    () => {
      execFileSync('mkfifo', [join(root, 'pipe')]);
      link('pipe', 'to-pipe');
      link('loop-b', 'loop-a');
      link('loop-a', 'loop-b');
      for (const [name, target] of Object.entries({
        zero: '/dev/zero',
        tty: '/dev/tty',
        fd: '/proc/self/fd/0',
      }))
        link(target, name);
      for (const path of ['pipe', 'to-pipe', 'loop-a', 'zero', 'tty', 'fd', 'docs', 'x'.repeat(300), 'a\0b'])
        expect(read(path), path).toBe('refused');
      link('nothing', 'dangling');
      expect(read('dangling')).toBe('absent');
    },
  );
});

describe('folders of a checkout', () => {
  it.runIf(canCreateLinks)('are listed without following links, up to the given number of entries', () => {
    const entries = listCheckoutFolder(root, '', 100);
    expect(entries).toContainEqual({ name: 'out', kind: 'link' });
    expect(entries).toContainEqual({ name: 'docs', kind: 'folder' });
    expect(entries).toContainEqual({ name: 'CLAUDE.md', kind: 'file' });
    expect(entries.length).toBeGreaterThan(5);
    expect(listCheckoutFolder(root, '', 3)).toHaveLength(3);
    expect(listCheckoutFolder(root, 'CLAUDE.md', 3)).toEqual([]);
    expect(listCheckoutFolder(root, 'none', 3)).toEqual([]);
  });

  it.runIf(canCreateLinks)('report the kind of an entry without following links', () => {
    expect(['docs/a.md', 'docs/deep', 'docs/none', 'AGENTS.md'].map((path) => entryAt(root, path))).toEqual([
      'file',
      'folder',
      'none',
      'link',
    ]);
    expect(entryAt(root, 'linked/a.md')).toBe('other');
    expect(entryAt(root, '../outside')).toBe('other');
  });

  it.runIf(canCreateLinks)('are known to be inside the checkout or not', () => {
    const isInside = createFolderGuard(root);
    expect(['CLAUDE.md', 'docs/a.md', 'linked/a.md'].map(isInside)).toEqual([true, true, true]);
    expect(['out/secret.md', 'none/a.md', '../outside/secret.md'].map(isInside)).toEqual([
      false,
      false,
      false,
    ]);
  });
});
