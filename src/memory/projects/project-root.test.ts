import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aNote } from '../../../test/contract/samples.ts';
import { commitAll, editAs, put } from '../../../test/support/agent-edits.ts';
import { createMemoryHome, type MemoryHome } from '../../../test/support/memory-home.ts';
import { git } from '../../../test/support/sandbox.ts';
import { drain } from '../drain.ts';
import { readPrelude } from '../prelude/prelude-file.ts';
import { readTopics } from '../prompt-context/topic-table.ts';
import { projectRoot } from './project-root.ts';

let memory: MemoryHome;
let tree: string;
beforeEach(() => {
  memory = createMemoryHome();
  tree = join(memory.home, 'tree');
  git(memory.work, 'init', '-q', '-b', 'main', '.');
  put(memory, 'readme.md', 'A queue.\n');
  commitAll(memory, 'First');
});
afterEach(() => memory.remove());

const retry = `export function retry(task, times) {
  for (let attempt = 0; attempt < times; attempt++) {
    const outcome = task.attemptOnce(attempt);
    if (outcome.isSettled()) return outcome.valueOrThrow();
  }
}
`;

/** A session in the main checkout that writes code and gives a reason, then one in a new worktree. */
function workInBoth(): void {
  memory.prompt('We decided to use a fixed number of retries because the broker restarts that fast.');
  editAs(memory, 'session-1', 'turn-1', 'retry.js', retry);
  memory.answer('Done.');
  commitAll(memory, 'Retry');
  git(memory.work, 'worktree', 'add', '-q', '-b', 'side', tree);
  memory.prompt('Go on here.', { cwd: tree, session_id: 'session-2', prompt_id: 'turn-2' });
}

const at = '2026-11-14T12:00:00.000Z';
const mirrored = aNote({
  kind: 'rule',
  title: 'Tabs',
  trust: 2,
  created: at,
  updated: at,
  author: 'repo/ana',
  visibility: 'team',
  validFrom: at,
  text: 'We indent with tabs.',
});

const prelude = (): string =>
  (readPrelude(memory.paths, memory.open().project)?.lines ?? []).map(({ text }) => text).join('\n');
const rootNow = () => projectRoot(memory.open(), memory.open().project);
const removeRetry = () => {
  rmSync(join(memory.work, 'retry.js'));
  commitAll(memory, 'No retries');
};

describe('the default working tree', () => {
  it('[drift-checkout] is the one in which something was captured last', async () => {
    workInBoth();
    expect(rootNow()).toBe(tree);
    memory.prompt('And now here again.', { prompt_id: 'turn-3' });
    expect(rootNow()).toBe(memory.work);
    removeRetry();
    await memory.drain();
    expect(prelude()).toContain('(no longer so: its code is gone');
    // The list of topics says of the code what sessions are told.
    const marks = () => [...readTopics(memory.paths.project(memory.open().project).topics).values()];
    expect(marks()).toMatchObject([
      { code: expect.stringMatching(/^\(no longer so: its code is gone.*\)$/) },
    ]);
    memory.prompt('Back again.', { cwd: tree, session_id: 'session-2', prompt_id: 'turn-4' });
    await memory.drain();
    expect(rootNow()).toBe(tree);
    expect(prelude()).not.toContain('no longer so');
    // A caller in another working tree gets an answer about that one.
    await drain({ ...memory.open(), callerRoot: memory.work });
    expect(prelude()).toContain('(no longer so: its code is gone');
  });

  it('[drift-checkout] is one that still exists and still belongs to the project', async () => {
    workInBoth();
    removeRetry();
    git(memory.work, 'worktree', 'remove', '--force', tree);
    expect(rootNow()).toBe(memory.work);
    await memory.drain();
    expect(prelude()).toContain('(no longer so: its code is gone');
    const parts = memory.open();
    rmSync(memory.work, { recursive: true });
    expect(projectRoot(parts, parts.project)).toBeUndefined();
  });

  it('keeps the notes of a repository if its working tree was deleted', async () => {
    workInBoth();
    const parts = memory.open();
    await parts.notes.put(mirrored);
    rmSync(memory.work, { recursive: true });
    rmSync(tree, { recursive: true });
    await drain(parts);
    expect((await parts.notes.list()).map(({ id }) => id)).toContain(mirrored.id);
  });
});
