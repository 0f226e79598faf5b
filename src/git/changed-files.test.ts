import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { changedFiles } from './uncommitted-changes.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'changed-files-'));
  execFileSync('git', ['init', '-q'], { cwd: root });
});
afterEach(() => rmSync(root, { recursive: true, force: true, maxRetries: 10 }));

it.skipIf(process.platform === 'win32')(
  'files that changed are found without running a program of the repository',
  async () => {
    writeFileSync(join(root, 'watch.sh'), '#!/bin/sh\ntouch was-run\n', { mode: 0o755 });
    execFileSync('git', ['add', '.'], { cwd: root });
    execFileSync('git', ['config', 'core.fsmonitor', './watch.sh'], { cwd: root });
    expect(await changedFiles(root)).toEqual(['watch.sh']);
    expect(existsSync(join(root, 'was-run'))).toBe(false);
    expect(await changedFiles(tmpdir())).toBeUndefined();
  },
);
