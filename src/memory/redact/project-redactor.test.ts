import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { homePaths } from '../../base/paths.ts';
import { projectRedactor } from './project-redactor.ts';

const folder = mkdtempSync(join(tmpdir(), 'backstory-redactor-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('[redact-env-values] are known in a worktree whose .env is a link to another checkout', () => {
  const [first, worktree] = [join(folder, 'first'), join(folder, 'worktree')];
  for (const root of [first, worktree]) mkdirSync(root);
  writeFileSync(join(first, '.env'), 'API_KEY=first-Value-11\n');
  symlinkSync(join(first, '.env'), join(worktree, '.env'));
  writeFileSync(join(worktree, '.env.local'), 'API_KEY=local-Value-22\n');
  const paths = homePaths(join(folder, 'home'));
  const { identity } = paths.project('p1');
  mkdirSync(dirname(identity), { recursive: true });
  writeFileSync(identity, JSON.stringify({ v: 1, id: 'p1', name: 'p', keys: [], paths: [first] }));
  const { redact } = projectRedactor({ project: 'p1', paths }, worktree);
  expect(redact('first-Value-11 local-Value-22 other-Value-33')).toBe(
    '[redacted:known-value] [redacted:known-value] other-Value-33',
  );
});
