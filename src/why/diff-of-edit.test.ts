import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commitAll, put } from '../../test/support/agent-edits.ts';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import { git } from '../../test/support/sandbox.ts';
import { isoTime } from '../base/clock.ts';
import { lineHash } from '../base/hash.ts';
import { diffOfEdit, type EditEvent } from './diff-of-edit.ts';

const path = 'config/keys.env';

it('the diff of an edit has at most 400 lines, of all its parts together', async () => {
  const hunk = { oldStart: 1, newStart: 1, removed: Array(150).fill('a'), added: Array(100).fill('b') };
  const edit = { kind: 'edit', at: '', head: '', body: { path: '/elsewhere', hunks: [hunk, hunk] } };
  const { hunks } = await diffOfEdit(edit as unknown as EditEvent, {
    root: '',
    onDisk: async () => undefined,
  });
  expect(hunks.map(({ lines }) => lines.length)).toEqual([250, 150]);
});

describe('the diff of an edit', () => {
  let memory: MemoryHome;
  let edit: EditEvent;
  const texts = async (onDisk: string[] | undefined) =>
    (await diffOfEdit(edit, { root: memory.work, onDisk: async () => onDisk })).hunks.flatMap(({ lines }) =>
      lines.map(({ sign, text }) => `${sign}${text ?? '?'}`),
    );

  beforeEach(() => {
    memory = createMemoryHome();
    git(memory.work, 'init', '-q', '-b', 'main', '.');
    put(memory, path, 'limit=1\n');
    commitAll(memory, 'Limit');
    memory.clock.set(memory.clock.now() + 60_000);
    edit = {
      kind: 'edit',
      at: isoTime(memory.clock.now()),
      // Edits read from a transcript name no commit.
      head: '',
      body: {
        path,
        hunks: [{ oldStart: 1, newStart: 1, removed: [lineHash('limit=1')], added: [lineHash('limit=2')] }],
      },
    } as unknown as EditEvent;
    put(memory, path, 'limit=2\n');
    memory.clock.set(memory.clock.now() + 60_000);
    commitAll(memory, 'A higher limit');
  });
  afterEach(() => memory.remove());

  it('finds the removed lines of an edit without a commit in the last commit before it', async () => {
    expect(await texts(['limit=2'])).toEqual(['-limit=1', '+limit=2']);
  });

  it('finds the lines of a file that was deleted since', async () => {
    git(memory.work, 'rm', '-q', path);
    expect(await texts(undefined)).toEqual(['-limit=1', '+limit=2']);
  });

  it('shows no past version of a file that git ignores now', async () => {
    expect(await texts(undefined)).toEqual(['-?', '+?']);
  });
});
