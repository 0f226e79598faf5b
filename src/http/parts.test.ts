import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { commitAll, editAs, put } from '../../test/support/agent-edits.ts';
import { createHttpHome, type HttpHome } from '../../test/support/http-home.ts';
import { git } from '../../test/support/sandbox.ts';

let home: HttpHome;
afterEach(() => home.close());

const retry = `export function retry(task, times) {
  for (let attempt = 0; attempt < times; attempt++) {
    const outcome = task.attemptOnce(attempt);
    if (outcome.isSettled()) return outcome.valueOrThrow();
  }
}
`;

/** Code that was written and removed in the main checkout, and still exists in a worktree that was used later. */
function workInBoth(): string {
  const tree = join(home.home, 'tree');
  put(home, 'readme.md', 'A queue.\n');
  commitAll(home, 'First');
  home.prompt('Retry tasks a fixed number of times.');
  editAs(home, 'session-1', 'turn-1', 'retry.js', retry);
  home.answer('Tasks are retried a fixed number of times.');
  commitAll(home, 'Retry');
  git(home.work, 'worktree', 'add', '-q', '-b', 'side', tree);
  home.prompt('Go on here.', { cwd: tree, session_id: 'session-2', prompt_id: 'turn-2' });
  rmSync(join(home.work, 'retry.js'));
  commitAll(home, 'No retries');
  return tree;
}

async function states(): Promise<string[]> {
  const { text } = await home.ask('/api/v1/recall?query=retry%20tasks%20fixed%20number');
  const { items } = JSON.parse(text) as { items: { kind: string; drift?: { state: string } }[] };
  return items.filter(({ kind }) => kind === 'answer').map(({ drift }) => drift?.state ?? 'none');
}

describe('the default checkout of a request', () => {
  it('[drift-checkout] is the most recently used one, or another if that no longer exists', async () => {
    home = await createHttpHome({ inGit: true });
    const tree = workInBoth();
    expect(await states()).toEqual(['current']);
    git(home.work, 'worktree', 'remove', '--force', tree);
    expect(await states()).toEqual(['gone']);
  });

  it('[drift-checkout] is the one in which the server was started, if any', async () => {
    home = await createHttpHome({ inGit: true, isStartedHere: true });
    workInBoth();
    expect(await states()).toEqual(['gone']);
  });
});
