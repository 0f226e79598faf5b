import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { validateAuthorshipNote } from '../../scripts/validate-authorship.ts';
import { commitAll, editAs, gitAt, put } from '../../test/support/agent-edits.ts';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import { git } from '../../test/support/sandbox.ts';
import { writeNotes } from '../git/notes.ts';
import { findRange } from '../git/revisions.ts';
import { agentTraceOf } from './agent-trace.ts';
import { attributeCommits, type CommitAttribution } from './attribute-commits.ts';

let memory: MemoryHome;
let others: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
  others = createMemoryHome();
  git(memory.work, 'init', '-q', '-b', 'main', '.');
  git(memory.work, 'config', 'user.name', 'Ada');
  put(memory, 'src/load.js', base);
  commitAll(memory, 'Load');
});
afterEach(() => {
  memory.remove();
  others.remove();
});

const base = `import { open } from 'store';

export function load(name) {
  const file = open(name);
  return file.read();
}
`;
const retrying = base.replace(
  '  return file.read();',
  '  for (let tries = 0; tries < 5; tries++) {\n    if (file.isReady()) return file.read();\n    sleepMilliseconds(200);\n  }\n  throw new Error(name);',
);
const lastLine = 'export const typedByAPerson = true;\n';

/** A commit with five lines of a session and one of a person. */
function commitWork(message = 'Retry'): string {
  memory.prompt('Make load wait; the secret reason is the slow drive.');
  editAs(memory, 'session-1', 'turn-1', 'src/load.js', retrying);
  put(memory, 'src/load.js', retrying + lastLine);
  return commitAll(memory, message);
}

const head = () => git(memory.work, 'rev-parse', 'HEAD').trim();
/** Attributes with the memory of this user or, if `home` is another, of somebody who has recorded nothing. */
async function attributed(
  range = 'HEAD',
  { home = memory, isReplacing = false } = {},
): Promise<CommitAttribution[]> {
  const found = await findRange(memory.work, range);
  return attributeCommits({ parts: home.open(), root: memory.work }, found as NonNullable<typeof found>, {
    isReplacing,
  });
}
async function write(range = 'HEAD', options = {}): Promise<CommitAttribution> {
  const all = await attributed(range, options);
  const pending = all.filter(({ state }) => state === 'new' || state === 'changed');
  const notes = new Map(pending.map(({ commit, note }) => [commit.hash, note]));
  if (notes.size > 0)
    expect(
      await writeNotes(memory.work, notes, { message: 'Notes', now: memory.clock.now() }),
    ).toBeUndefined();
  for (const { commit, note } of pending) expect(validateAuthorshipNote(note, commit.hash)).toEqual([]);
  return all.at(-1) as CommitAttribution;
}
const noteOf = (commit: string) => git(memory.work, 'notes', '--ref=ai', 'show', commit);
const foreign = (commit: string, lines: string) =>
  `src/load.js\n  0123456789abcdef ${lines}\n---\n${JSON.stringify({
    schema_version: 'authorship/3.0.0',
    git_ai_version: '1.0.23',
    base_commit_sha: commit,
    prompts: {
      '0123456789abcdef': {
        agent_id: { tool: 'cursor', id: 'x', model: 'gpt-5' },
        total_additions: 1,
        total_deletions: 0,
        accepted_lines: 1,
        overriden_lines: 0,
      },
    },
  })}`;
const annotate = (commit: string, text: string) =>
  git(memory.work, 'notes', '--ref=ai', 'add', '-f', '-m', text, commit);

describe('attribution in git notes', () => {
  test('[attribution] a note names the lines of a session, its agent and person, and no word of it', async () => {
    const commit = commitWork();
    const { named, added, note } = await write();
    expect({ named, added }).toEqual({ named: 5, added: 6 });
    expect(noteOf(commit).trim()).toBe(note);
    expect(note).toMatch(/^src\/load\.js\n {2}s_[0-9a-f]{14}::t_[0-9a-f]{14} 5-9\n---\n/);
    expect(note).toContain('"tool": "claude"');
    expect(note).toContain('"id": "session-1"');
    expect(note).not.toMatch(/secret|slow drive|messages/);
  });

  test('[attribution] a second run writes nothing', async () => {
    commitWork();
    await write();
    const ref = git(memory.work, 'rev-parse', 'refs/notes/ai');
    expect((await write()).state).toBe('same');
    expect(git(memory.work, 'rev-parse', 'refs/notes/ai')).toBe(ref);
  });

  test('[attribution] the note of somebody else keeps its entries, unless it is to be replaced', async () => {
    const commit = commitWork();
    annotate(commit, foreign(commit, '5-6'));
    const { state, note } = await write();
    expect(state).toBe('changed');
    expect(note).toContain('  0123456789abcdef 5-6\n');
    expect(note).toMatch(/::t_[0-9a-f]{14} 7-9\n/);
    expect(note).toContain('"git_ai_version": "1.0.23"');
    expect((await write()).state).toBe('same');
    expect((await write('HEAD', { isReplacing: true })).note).not.toContain('cursor');
  });

  test.each([
    ['another schema version', '---\n{"schema_version":"authorship/9.0.0"}'],
    [
      'conversation',
      `---\n{"schema_version":"authorship/3.0.0","prompts":{"a":{"messages":[{"text":"x"}]}}}`,
    ],
    ['no attestation', `a.ts\n  human 3\n---\n{"schema_version":"authorship/3.0.0","prompts":{}}`],
  ])('[attribution] a note with %s is left as it is', async (reason, text) => {
    annotate(commitWork(), text);
    const result = await write();
    expect(result.state).toBe('left');
    expect(result.reason).toContain(reason);
    expect(noteOf(head()).trim()).toBe(text);
  });

  test.each([
    ['amended', () => gitAt(memory.clock.now(), memory.work, 'commit', '-q', '--amend', '-m', 'Other words')],
    [
      'squashed',
      () => {
        git(memory.work, 'checkout', '-q', 'main');
        git(memory.work, 'merge', '-q', '--squash', 'work');
        commitAll(memory, 'Squashed');
      },
    ],
    [
      'rebased',
      () => {
        git(memory.work, 'checkout', '-q', 'main');
        put(memory, 'src/load.js', `// A head.\n// Of two lines.\n${base}`);
        commitAll(memory, 'Head');
        git(memory.work, 'checkout', '-q', 'work');
        gitAt(memory.clock.now(), memory.work, 'rebase', '-q', 'main');
      },
    ],
    [
      'picked',
      () => {
        git(memory.work, 'checkout', '-q', '-b', 'other', 'main');
        put(memory, 'new.js', 'const x = 1;\n');
        commitAll(memory, 'Meanwhile');
        gitAt(memory.clock.now(), memory.work, 'cherry-pick', 'work');
      },
    ],
  ])(
    '[attribution] after a commit was %s, its lines are found here and by a teammate',
    async (_, rewrite) => {
      git(memory.work, 'checkout', '-q', '-b', 'work');
      const old = commitWork();
      await write();
      rewrite();
      expect(head()).not.toBe(old);
      const [own] = await attributed();
      expect(own?.named).toBe(5);
      const carried = await write('HEAD', { home: others });
      expect(carried.note).toBe(own?.note);
      expect(noteOf(head())).toContain('"id": "session-1"');
    },
  );

  test('a line that a person changed after the noted commit is carried nowhere', async () => {
    commitWork();
    await write();
    put(
      memory,
      'src/load.js',
      (retrying + lastLine).replace('sleepMilliseconds(200)', 'sleepMilliseconds(999)'),
    );
    git(memory.work, 'add', '-A');
    gitAt(memory.clock.now(), memory.work, 'commit', '-q', '--amend', '-m', 'Amended');
    expect((await attributed('HEAD', { home: others }))[0]?.note).toMatch(/ 5-6,8-9\n---\n/);
  });

  test('[attribution] after a rebase, a person keeps a line that an agent wrote elsewhere later', async () => {
    const settings = ['const settings = readSettings();', 'applySettings(settings, { isStrict: true });', ''];
    const person = base + settings.join('\n');
    put(memory, 'src/load.js', person);
    commitAll(memory, 'By a person');
    memory.clock.set(memory.clock.now() + 3_600_000);
    editAs(memory, 'session-3', 'turn-3', 'src/load.js', settings.join('\n') + person);
    commitAll(memory, 'By an agent');
    const named = async () => (await attributed('HEAD~2..HEAD')).map((each) => each.named);
    expect(await named()).toEqual([0, 2]);
    gitAt(memory.clock.now(), memory.work, 'rebase', '-q', '-f', 'HEAD~2');
    expect(await named()).toEqual([0, 2]);
  });

  test('[attribution] lines that an edit added to a commit by an amendment are found', async () => {
    put(memory, 'src/load.js', base + lastLine);
    commitAll(memory, 'By a person');
    memory.clock.set(memory.clock.now() + 3_600_000);
    editAs(memory, 'session-4', 'turn-4', 'src/load.js', retrying + lastLine);
    git(memory.work, 'add', '-A');
    gitAt(memory.clock.now(), memory.work, 'commit', '-q', '--amend', '-m', 'Amended');
    expect((await attributed())[0]?.note).toMatch(/ 5-9\n---\n/);
  });

  test('[attribution] a short edit is found if its file is renamed in the same commit', async () => {
    editAs(memory, 'session-5', 'turn-5', 'src/load.js', base.replace('file.read()', 'file.lines()'));
    git(memory.work, 'mv', 'src/load.js', 'src/read.js');
    commitAll(memory, 'Rename');
    expect((await attributed())[0]?.note).toMatch(/^src\/read\.js\n {2}s_\S+ 5\n---\n/);
  });

  test('a file name with a blank is quoted, and the first commit of a repository has a note', async () => {
    git(memory.work, 'checkout', '-q', '--orphan', 'fresh');
    git(memory.work, 'rm', '-rqf', '.');
    memory.prompt('Write it.');
    editAs(memory, 'session-2', 'turn-2', 'my file.js', retrying);
    commitAll(memory, 'First');
    expect((await write()).note).toMatch(/^"my file.js"\n {2}s_/);
  });

  test('[attribution] a hook and the configuration of the repository do not run when notes are written', async () => {
    commitWork();
    put(memory, '.git/hooks/reference-transaction', '#!/bin/sh\ntouch "$GIT_DIR/ran"\nexit 1\n');
    git(memory.work, 'config', 'core.hooksPath', '.git/hooks');
    (await import('node:fs')).chmodSync(`${memory.work}/.git/hooks/reference-transaction`, 0o755);
    await write();
    expect((await import('node:fs')).existsSync(`${memory.work}/.git/ran`)).toBe(false);
  });

  test('exports a record of Agent Trace for a commit', async () => {
    const commit = commitWork();
    annotate(commit, foreign(commit, '10'));
    const [each] = await attributed();
    expect(agentTraceOf(each as CommitAttribution, '1.0.0')).toEqual({
      version: '0.1.0',
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/),
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      vcs: { type: 'git', revision: commit },
      tool: { name: 'backstory', version: '1.0.0' },
      files: [
        {
          path: 'src/load.js',
          conversations: [
            { contributor: { type: 'ai' }, ranges: [{ start_line: 5, end_line: 9 }] },
            {
              contributor: { type: 'ai', model_id: 'openai/gpt-5' },
              ranges: [{ start_line: 10, end_line: 10 }],
            },
          ],
        },
      ],
    });
  });
});
