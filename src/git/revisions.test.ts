import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultBranch } from './revisions.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'backstory-revisions-'));
  execFileSync('git', ['init', '-q'], { cwd: root });
});
afterEach(() => rmSync(root, { recursive: true }));

const writeRef = (name: string, content = 'a'.repeat(40)) => {
  const path = join(root, '.git/refs', name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${content}\n`);
};

describe('the branch that others start from', () => {
  it('is the one that the remote names, if it exists, or else main or master', () => {
    expect(defaultBranch(root)).toBeUndefined();
    writeRef('heads/master');
    expect(defaultBranch(root)).toBe('master');
    writeRef('remotes/origin/main');
    writeRef('remotes/origin/HEAD', 'ref: refs/remotes/origin/develop');
    expect(defaultBranch(root)).toBe('origin/main');
    writeRef('remotes/origin/develop');
    expect(defaultBranch(root)).toBe('origin/develop');
  });
});
