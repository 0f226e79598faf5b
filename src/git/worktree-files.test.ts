import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorktreeFiles } from './worktree-files.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'backstory-worktree-'));
  execFileSync('git', ['init', '-q'], { cwd: root });
  for (const name of ['a.ts', 'b.log']) writeFileSync(join(root, name), '');
});
afterEach(() => rmSync(root, { recursive: true }));

describe('some files of a checkout', () => {
  const listed = (...paths: string[]) => createWorktreeFiles(root).listed(paths, []);

  it('are listed where git ignores none or some of them', async () => {
    expect(await listed('a.ts', 'b.log')).toEqual(new Set(['a.ts', 'b.log']));
    writeFileSync(join(root, '.gitignore'), '*.log\n');
    expect(await listed('a.ts', 'b.log')).toEqual(new Set(['a.ts']));
  });
});
