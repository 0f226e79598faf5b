import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCheckoutText } from '../../src/base/checkout-file.ts';
import { systemClock } from '../../src/base/clock.ts';
import { Checkout } from '../../src/code/checkout.ts';
import { runSegmentJob } from '../../src/code/segment-job.ts';
import { createWorktreeFiles } from '../../src/git/worktree-files.ts';
import { linesWith } from '../support/lines-with.ts';

/** Needs a temporary folder on a disk that ignores case and Unicode form: scripts/folding-disk.sh. */
let root: string;
let checkout: Checkout;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'backstory-folding-')));
  git('init', '-q');
  checkout = new Checkout({
    root,
    folder: `${root}.index`,
    files: createWorktreeFiles(root),
    clock: systemClock,
    mayWrite: true,
    watches: true,
    tryLock: () => ({ release: () => {} }),
    runJob: async (job) => runSegmentJob(job, systemClock),
  });
});
afterEach(async () => {
  await checkout.close();
  for (const folder of [root, `${root}.index`]) rmSync(folder, { recursive: true, force: true });
});

const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
    cwd: root,
    encoding: 'utf8',
  });
const put = (path: string, text: string): void => {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
};

describe('on a disk that ignores case and Unicode form', () => {
  it('lists a file once if its name on disk differs in case from the one that git has', async () => {
    put('src/Worker.ts', 'otter\n');
    git('add', '.');
    git('commit', '-qm', 'first');
    expect(git('config', 'core.ignorecase')).toBe('true\n');
    renameSync(join(root, 'src/Worker.ts'), join(root, 'src/other.ts'));
    renameSync(join(root, 'src/other.ts'), join(root, 'src/worker.ts'));
    expect(await linesWith(checkout, 'otter')).toEqual(['src/Worker.ts:1']);
    await checkout.reindex(false);
    expect(await linesWith(checkout, 'otter')).toEqual(['src/Worker.ts:1']);
  });

  it('finds a line once after a file was renamed to another case, before and after the commit', async () => {
    put('Readme.md', 'otter\n');
    put('other.md', 'beaver\n');
    git('add', '.');
    git('commit', '-qm', 'first');
    await checkout.reindex(false);
    git('mv', 'Readme.md', 'README.md');
    expect(await linesWith(checkout, 'otter')).toEqual(['README.md:1']);
    git('commit', '-qm', 'second');
    put('readme.md', 'otter and beaver\n');
    expect(await linesWith(checkout, 'beaver')).toEqual(['README.md:1', 'other.md:1']);
  });

  it('reads a file by its name in another case and in another Unicode form', () => {
    put('src/größe.ts'.normalize('NFD'), 'otter\n');
    for (const path of ['src/größe.ts', 'SRC/GRÖSSE.ts', 'Src/Größe.TS'])
      for (const form of ['NFC', 'NFD'])
        expect(readCheckoutText(root, path.normalize(form), 100)).toBe('otter\n');
  });
});
