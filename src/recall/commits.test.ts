import { describe, expect, it } from 'vitest';
import { aChunk } from '../../test/contract/samples.ts';
import type { Chunk } from '../domain/chunk.ts';
import { turnsOfCommits } from './commits.ts';

const at = Date.parse('2026-11-15T12:00:00Z');
const edit = (turn: string, path: string, minutes: number): Chunk =>
  aChunk({ kind: 'edit', turn, paths: [path], at: at + minutes * 60_000, text: `edited ${path}` });
const commit = (paths: string[]): Chunk =>
  aChunk({ kind: 'commit', turn: '', agentSession: '', paths, at, text: 'commit abc: Repair the login' });

describe('turnsOfCommits', () => {
  const login = commit(['src/login.ts', 'test/login.test.ts']);
  const madeIn = (...edits: Chunk[]) => turnsOfCommits([login, ...edits]).get(login.sourceId);

  it('assigns a commit to the turn that edited most of its files shortly before', () => {
    const cure = [edit('cure', 'src/login.ts', -20), edit('cure', 'test/login.test.ts', -15)];
    expect(madeIn(...cure, edit('other', 'src/login.ts', -10))).toBe('cure');
  });

  it('does not assign a commit to a turn that edited other files, or the same files on another day', () => {
    expect(madeIn(edit('elsewhere', 'src/pool.ts', -5), edit('earlier', 'src/login.ts', -24 * 60))).toBe(
      undefined,
    );
  });
});
