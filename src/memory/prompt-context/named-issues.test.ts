import { expect, it } from 'vitest';
import type { Chunk } from '../../domain/chunk.ts';
import { commitLine } from './named-issues.ts';

const commit = {
  id: 'c0ffee0000',
  at: Date.UTC(2026, 10, 14),
  paths: ['src/tax.ts'],
  text: 'commit a1b2c3d4e5f6: Round the tax down\n\nFixes #5',
} as Chunk;

it('tells the message of a commit only if it is the user’s', () => {
  expect(commitLine({ ...commit, trust: 2 })).toBe(
    '2026-11-14 commit a1b2c3d4e5f6: "Round the tax down" (changed src/tax.ts) [c0ffee00]',
  );
  expect(commitLine({ ...commit, trust: 1 })).toBe(
    '2026-11-14 commit a1b2c3d4e5f6 (changed src/tax.ts) [c0ffee00]',
  );
});
