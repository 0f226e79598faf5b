import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { git } from '../../test/support/sandbox.ts';
import { changedLines, uncommittedChanges } from './uncommitted-changes.ts';

const root = mkdtempSync(join(tmpdir(), 'backstory-edits-'));
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 10 }));

it('returns the changed lines of files, except for one of 4 GB', async () => {
  git(root, 'init', '-q', '.');
  for (const name of ['a.ts', 'b [1].ts']) writeFileSync(join(root, name), 'one\n');
  git(root, 'add', '-A');
  git(root, 'commit', '-qm', 'begin');
  writeFileSync(join(root, 'a.ts'), 'two\n');
  truncateSync(join(root, 'b [1].ts'), 4 * 1024 ** 3);
  expect(await changedLines(root)).toEqual([{ path: 'a.ts', added: 1, removed: 1, lines: ['-one', '+two'] }]);
  expect((await uncommittedChanges(root))?.files.map(({ path }) => path)).toEqual(['a.ts', 'b [1].ts']);
});
