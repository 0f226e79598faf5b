import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Action } from '../domain/snapshot.ts';
import { workingSetOf } from './working-set.ts';

it('estimates the tokens of a file that was only read by a search', () => {
  const root = mkdtempSync(join(tmpdir(), 'backstory-set-'));
  writeFileSync(join(root, 'a.ts'), 'x'.repeat(350));
  const glance = { id: 'e', at: '2026-11-15T09:32:00.000Z', kind: 'read', path: 'a.ts', tokens: 0 } as Action;
  expect(workingSetOf([], [glance], root).files_read).toMatchObject([{ path: 'a.ts', tokens: 100 }]);
  const read = { ...glance, tokens: 90 };
  expect(workingSetOf([], [read, glance], root).files_read).toMatchObject([{ tokens: 90 }]);
  rmSync(root, { recursive: true });
});
