import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { indexDigest } from '../../../test/harness/index-digest.ts';
import { lineHash } from '../../base/hash.ts';
import type { Edit } from '../../domain/edit.ts';
import { SqliteLogIndex } from './log-index.ts';

let folder: string;
let index: SqliteLogIndex;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backstory-edits-'));
  index = new SqliteLogIndex(join(folder, 'index.db'), 'p', 'create');
});
afterEach(async () => {
  await index.close();
  rmSync(folder, { recursive: true, force: true });
});

const edit = (id: string, at: number, added: string[], removed: string[] = []): Edit => ({
  id,
  at,
  agent: 'claude-code',
  agentSession: 's',
  turn: 't',
  branch: '',
  head: '',
  path: 'a.ts',
  isCreation: false,
  hunks: [{ oldStart: 1, newStart: 1, added: added.map(lineHash), removed: removed.map(lineHash) }],
});
const apply = (edits: Edit[], dropSources: string[] = []) =>
  index.applyLog({
    put: [],
    dropSources,
    steps: [],
    edits,
    events: [],
    notes: [],
    dropNotes: [],
    progress: {},
    tombstones: [],
    lines: [],
  });
const idsWith = async (line: string, limit = 10) =>
  index.edits.withLines([lineHash(line)], limit).map(({ id }) => id);

describe('edits in the index', () => {
  it('are found by lines they added or removed, newest first, without duplicates', async () => {
    expect(index.edits.hasAny()).toBe(false);
    await apply([edit('one', 1, ['shared', '']), edit('two', 2, ['own'], ['shared'])]);
    await apply([edit('one', 1, ['shared', ''])]);
    expect(await idsWith('shared')).toEqual(['two', 'one']);
    expect(await idsWith('shared', 1)).toEqual(['two']);
    expect(await idsWith('own')).toEqual(['two']);
    expect(await idsWith('')).toEqual([]);
    expect(index.edits.ofFile('a.ts', 10).map(({ id }) => id)).toEqual(['two', 'one']);
    expect(index.edits.hasAny()).toBe(true);
  });

  it('are removed with their event, with all their lines', async () => {
    const empty = indexDigest(join(folder, 'index.db'));
    await apply([edit('one', 1, ['shared', 'own'])]);
    expect(indexDigest(join(folder, 'index.db'))).not.toBe(empty);
    await apply([], ['one']);
    expect(await idsWith('own')).toEqual([]);
    expect(indexDigest(join(folder, 'index.db'))).toBe(empty);
  });
});
