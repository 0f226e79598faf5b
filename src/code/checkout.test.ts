import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { linesWith } from '../../test/support/lines-with.ts';
import { systemClock } from '../base/clock.ts';
import { createWorktreeFiles } from '../git/worktree-files.ts';
import { Checkout, type CheckoutParts } from './checkout.ts';
import { findFiles } from './find-files.ts';
import { resolvePath } from './outline.ts';
import { createPathFilter } from './path-filter.ts';
import { runSegmentJob } from './segment-job.ts';

const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function tree(files: Record<string, string>, isRepository = true): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'backstory-code-')));
  ends.push(() => rmSync(root, { recursive: true, force: true, maxRetries: 10 }));
  if (isRepository) execFileSync('git', ['init', '-q', root]);
  put(root, files);
  return root;
}

function put(root: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

function open(root: string, more: Partial<CheckoutParts> = {}): Checkout {
  const folder = `${root}.index`;
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  let isLocked = false;
  const checkout = new Checkout({
    root,
    folder,
    files: createWorktreeFiles(root),
    clock: systemClock,
    mayWrite: true,
    watches: true,
    tryLock: () => {
      if (isLocked) return undefined;
      isLocked = true;
      return { release: () => {} };
    },
    runJob: async (job) => runSegmentJob(job, systemClock),
    ...more,
  });
  ends.push(() => checkout.close());
  return checkout;
}

describe('a checkout', () => {
  it('[code-exact] finds the same lines before, during and after indexing', async () => {
    const root = tree({ 'a.ts': 'one\ntwo\n', 'src/b.ts': 'two\n', 'bin.dat': 'two\0' });
    const checkout = open(root);
    expect(await linesWith(checkout, 'two')).toEqual(['a.ts:2', 'src/b.ts:1']);
    const state = await checkout.reindex(false);
    expect(state).toMatchObject({ isIndexed: true, dirtyFiles: 0, indexedFiles: 3 });
    expect(await linesWith(checkout, 'two')).toEqual(['a.ts:2', 'src/b.ts:1']);
    await checkout.reindex(true);
    expect(await linesWith(checkout, 'two')).toEqual(['a.ts:2', 'src/b.ts:1']);
  });

  it.each([true, false])('[code-exact] sees every change immediately (watching: %s)', async (watches) => {
    const root = tree({ 'a.ts': 'old\n', '.gitignore': 'ignored/\n*.log\n' });
    const checkout = open(root, { watches });
    await checkout.reindex(false);
    put(root, { 'a.ts': 'needle\n' });
    expect(await linesWith(checkout, 'needle')).toEqual(['a.ts:1']);
    put(root, { 'deep/er/b.ts': 'needle\n', 'ignored/c.ts': 'needle\n', 'x.log': 'needle\n' });
    expect(await linesWith(checkout, 'needle')).toEqual(['a.ts:1', 'deep/er/b.ts:1']);
    renameSync(join(root, 'deep'), join(root, 'moved'));
    expect(await linesWith(checkout, 'needle')).toEqual(['a.ts:1', 'moved/er/b.ts:1']);
    put(root, { 'moved/er/b.ts': 'gone\n' });
    rmSync(join(root, 'a.ts'));
    expect(await linesWith(checkout, 'needle')).toEqual([]);
    put(root, { '.gitignore': '*.log\n' });
    expect(await linesWith(checkout, 'needle')).toEqual(['ignored/c.ts:1']);
    await checkout.reindex(false);
    expect(await linesWith(checkout, 'needle')).toEqual(['ignored/c.ts:1']);
    expect(await linesWith(checkout, 'old')).toEqual([]);
  });

  it('[code-git-rules] follows ignore rules outside a repository too', async () => {
    const root = tree({ '.gitignore': '*.o\n', 'a.c': 'needle\n', 'a.o': 'needle\n' }, false);
    expect(await linesWith(open(root), 'needle')).toEqual(['a.c:1']);
  });

  it('finds files whose names are in composed or decomposed letters by either', async () => {
    const names = ['büro/größe.ts'.normalize('NFC'), 'café/größe.ts'.normalize('NFD')];
    const root = tree(Object.fromEntries(names.map((name) => [name, 'two\n'])));
    const checkout = open(root);
    for (const isIndexed of [false, true]) {
      if (isIndexed) await checkout.reindex(false);
      for (const form of ['NFC', 'NFD']) {
        const query = 'größe'.normalize(form);
        const { files } = await findFiles(checkout, { query, limit: 9, offset: 0 });
        expect(files.map(({ path }) => path)).toEqual(expect.arrayContaining(names));
        const accepts = createPathFilter(query);
        expect(names.filter((name) => accepts?.(name))).toEqual(names);
        for (const name of names)
          expect(await checkout.use(async (view) => resolvePath(view, name.normalize(form)))).toBe(name);
      }
    }
  });

  it('[code-contained] never reads through a link that leads out of the tree', async () => {
    const outside = tree({ 'secret.ts': 'needle\n', 'a.ts': 'needle\n' });
    const root = tree({ 'dir/a.ts': 'nothing\n' });
    const checkout = open(root);
    await checkout.reindex(false);
    symlinkSync(join(outside, 'secret.ts'), join(root, 'link.ts'));
    symlinkSync(outside, join(root, 'folder'));
    rmSync(join(root, 'dir'), { recursive: true });
    symlinkSync(outside, join(root, 'dir'));
    expect(await linesWith(checkout, 'needle')).toEqual([]);
    const unwatched = open(root, { watches: false, mayWrite: false });
    expect(await linesWith(unwatched, 'needle')).toEqual([]);
  });

  it('[code-git-rules] sees changes of the index and excludes in a linked worktree', async () => {
    const main = tree({ 'a.ts': 'needle\n', '.gitignore': '*.log\n' });
    const git = (cwd: string, ...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd, stdio: 'ignore' });
    git(main, 'add', '.');
    git(main, 'commit', '-qm', 'first');
    const linked = `${main}.linked`;
    ends.push(() => rmSync(linked, { recursive: true, force: true }));
    git(main, 'worktree', 'add', '-q', linked);
    put(linked, { 'kept.log': 'needle\n', 'b.ts': 'needle\n' });
    const checkout = open(linked);
    await checkout.reindex(false);
    expect(await linesWith(checkout, 'needle')).toEqual(['a.ts:1', 'b.ts:1']);
    git(linked, 'add', '-f', 'kept.log');
    expect(await linesWith(checkout, 'needle')).toEqual(['a.ts:1', 'b.ts:1', 'kept.log:1']);
    put(main, { '.git/info/exclude': 'b.ts\n' });
    expect(await linesWith(checkout, 'needle')).toEqual(['a.ts:1', 'kept.log:1']);
  });

  it('[code-errors] reports files that change faster than they can be checked', async () => {
    const root = tree({ 'a.ts': 'needle\n' });
    const files = createWorktreeFiles(root);
    let isRestless = false;
    const restless = {
      ...files,
      async list() {
        const listing = await files.list();
        if (!isRestless) return listing;
        put(root, { '.gitignore': 'x\n' });
        // In two turns of the event loop the watcher reports the change.
        for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
        return listing;
      },
    };
    const checkout = open(root, { files: restless });
    await checkout.reindex(false);
    isRestless = true;
    put(root, { '.gitignore': 'x\n' });
    await expect(linesWith(checkout, 'needle')).rejects.toMatchObject({
      code: 'INDEX_STALE',
      retryable: true,
    });
    isRestless = false;
    expect(await linesWith(checkout, 'needle')).toEqual(['a.ts:1']);
  });

  it('merges segments when there are many, and finds the same lines', async () => {
    const root = tree({});
    const checkout = open(root);
    const names = Array.from({ length: 14 }, (_, at) => `f${at}.ts`);
    for (const name of names) {
      put(root, { [name]: `needle ${name}\n`, 'same.ts': `needle ${name}\n` });
      await checkout.reindex(false);
    }
    expect(await linesWith(checkout, 'needle')).toEqual(
      [...names, 'same.ts'].map((name) => `${name}:1`).sort(),
    );
    expect(await linesWith(checkout, 'needle f3.ts')).toEqual(['f3.ts:1']);
    expect(await linesWith(checkout, 'needle f13.ts')).toEqual(['f13.ts:1', 'same.ts:1']);
  });

  it('searches every file if it may not write', async () => {
    const root = tree({ 'a.ts': 'needle\n' });
    const checkout = open(root, { mayWrite: false });
    expect(await linesWith(checkout, 'needle')).toEqual(['a.ts:1']);
    expect((await checkout.reindex(false)).isIndexed).toBe(false);
  });
});
