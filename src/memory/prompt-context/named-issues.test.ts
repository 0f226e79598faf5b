import { expect, it } from 'vitest';
import type { Chunk } from '../../domain/chunk.ts';
import { commitLine } from './named-issues.ts';

const commit = {
  id: 'c0ffee0000',
  at: Date.UTC(2026, 10, 14),
  paths: ['src/tax.ts'],
  text: 'commit a1b2c3d4e5f6: Round the tax down\n\nFixes #5',
} as Chunk;

it('tells the hash and the files of a commit, but not its message', () => {
  expect(commitLine(commit)).toBe('2026-11-14 commit a1b2c3d4e5f6 (changed src/tax.ts) [c0ffee00]');
});
