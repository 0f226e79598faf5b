import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commitAll, editAs, gitAt, put } from '../../test/support/agent-edits.ts';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import { git } from '../../test/support/sandbox.ts';
import { findRange, type RevisionRange, stagedRange } from '../git/revisions.ts';
import { notePartsOf } from '../memory/notes/note-parts.ts';
import { rememberNote } from '../memory/notes/remember.ts';
import { quickLimits } from '../recall/with-index.ts';
import { estimateTokens } from '../text/tokens.ts';
import { wrap } from '../text/wrap.ts';
import { type ChangeAnswer, changeAnswer } from '../wire/answers/change.ts';
import { uncommittedIn, whyChange } from './change.ts';
import { plain } from './render.ts';
import { renderChange, renderChangeForAgent } from './render-change.ts';
import { resolveSubject } from './target.ts';

let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
  git(memory.work, 'init', '-q', '-b', 'main', '.');
});
afterEach(() => memory.remove());

const base = 'export function load(name) {\n  return openTheFile(name).read();\n}\n';
const retrying = base.replace(
  '  return openTheFile(name).read();',
  '  for (let tries = 0; tries < 5; tries++) {\n    if (isReady(name)) return readFileOf(name);\n    sleepFor(200);\n  }',
);
const range = (target: string) => findRange(memory.work, target);
const ask = async (target: string): Promise<ChangeAnswer> => {
  const asked =
    target === '--staged' ? await stagedRange(memory.work) : ((await range(target)) as RevisionRange);
  const answer = await whyChange({ parts: memory.open(), root: memory.work }, asked, {
    now: memory.clock.now(),
    limits: quickLimits,
  });
  changeAnswer.parse(answer);
  return answer;
};
const shown = (answer: ChangeAnswer) =>
  renderChange(answer, { now: memory.clock.now(), style: plain, columns: 100 });

function command(line: string, exit: number, turn = 'turn-1'): void {
  memory.hook({
    hook_event_name: exit === 0 ? 'PostToolUse' : 'PostToolUseFailure',
    session_id: 'session-1',
    prompt_id: turn,
    cwd: memory.work,
    tool_use_id: `run-${line}-${exit}`,
    tool_name: 'Bash',
    tool_input: { command: line },
    ...(exit === 0 ? { tool_response: { stdout: '', stderr: '' } } : { error: `Exit code ${exit}` }),
  });
}

/** A branch whose lines a session wrote, in two commits, beside a line of a person. */
async function workOnBranch(): Promise<void> {
  put(memory, 'src/load.js', base);
  commitAll(memory, 'Load');
  git(memory.work, 'checkout', '-q', '-b', 'feature');
  memory.prompt('Make load wait until the file is ready. The network drive is slow in the morning.');
  editAs(memory, 'session-1', 'turn-1', 'src/load.js', retrying);
  command('npm test', 0);
  memory.answer('Load now retries five times with a fixed delay, because the drive wakes within a second.');
  const derivedFrom = memory.events().flatMap(({ kind, id }) => (kind === 'prompt' ? [id] : []));
  const kept = { concepts: [], files: [], trust: 2 as const, author: 'tester', derivedFrom };
  await rememberNote(notePartsOf(memory.open()), { ...kept, kind: 'decision', text: 'A fixed delay.' });
  await rememberNote(notePartsOf(memory.open()), { ...kept, kind: 'failed', text: 'A file watcher.' });
  commitAll(memory, 'Wait for slow drives');
  put(memory, 'notes.txt', 'a person wrote this line by hand\n');
  commitAll(memory, 'By hand');
}

describe('why of a change', () => {
  it('[why-change] says what was asked, decided, rejected and tested, and who wrote which share', async () => {
    await workOnBranch();
    const answer = await ask('main..feature');
    expect(answer).toMatchObject({
      commits: [{ message: 'Wait for slow drives' }, { message: 'By hand' }],
      files: [
        { path: 'notes.txt', added: 1, writers: [] },
        { path: 'src/load.js', added: 4, removed: 1, writers: [{ agent: 'claude-code', lines: 4 }] },
      ],
      turns: [
        {
          asked: [{ by: 'user', text: expect.stringContaining('network drive') }],
          decided: [{ text: 'A fixed delay.' }],
          rejected: [{ text: 'A file watcher.' }],
          account: [{ text: expect.stringContaining('within a second') }],
          files: [{ path: 'src/load.js', lines: [[2, 5]] }],
        },
      ],
      tests: [{ command: 'npm test', result: 'passed', isBeforeLastEdit: false }],
      open: [],
    });
    for (const words of [
      'The network drive is slow',
      'A fixed delay.',
      'A file watcher.',
      'npm test` passed',
    ])
      expect(shown(answer)).toContain(words);
    expect(shown(answer)).toContain('claude-code 80 %, people or not recorded 20 %');
    const open = (head: string) => uncommittedIn(memory.work, { head }, new Set(['src/load.js']));
    expect(await open(answer.head)).toEqual([]);
    put(memory, 'src/load.js', base);
    put(memory, 'notes.txt', 'changed\n');
    expect(await open(answer.head)).toEqual(['not committed: changes of src/load.js']);
    expect(await open(answer.base)).toEqual([]);
  });

  it('[why-change] says the same after a squash merge, a rebase and a cherry-pick', async () => {
    await workOnBranch();
    const turnsOf = async (target: string) => (await ask(target)).turns;
    const before = await turnsOf('main..feature');
    git(memory.work, 'checkout', '-q', 'main');
    put(memory, 'other.txt', 'something else happened meanwhile\n');
    commitAll(memory, 'Meanwhile');
    git(memory.work, 'merge', '-q', '--squash', 'feature');
    const squashed = commitAll(memory, 'Slow drives (#12)');
    expect(await turnsOf(squashed.slice(0, 9))).toEqual(before);
    git(memory.work, 'checkout', '-q', 'feature');
    gitAt(memory.clock.now(), memory.work, 'rebase', '-q', '--onto', 'main~1', 'main~2');
    expect(await turnsOf('main~1..feature')).toEqual(before);
    git(memory.work, 'checkout', '-q', '-b', 'release', 'main~1');
    gitAt(memory.clock.now(), memory.work, 'cherry-pick', 'feature~1');
    expect(await turnsOf('HEAD')).toEqual(before);
  });

  it('resolves commits, ranges, branches and tags, and prefers a file to a revision', async () => {
    await workOnBranch();
    git(memory.work, 'tag', '-a', '-m', 'one', 'v1', 'main');
    git(memory.work, 'pack-refs', '--all');
    const [main, tip] = ['main', 'feature'].map((name) => git(memory.work, 'rev-parse', name).trim());
    const whole = { base: main, head: tip };
    for (const text of ['main..feature', 'main...', 'v1..HEAD', 'feature', `${main}..${tip?.slice(0, 8)}`])
      expect(await range(text), text).toMatchObject(whole);
    expect(await range('feature~1')).toMatchObject({ base: main });
    expect(await range('main')).toMatchObject({ head: main, base: expect.stringMatching(/^4b825dc/) });
    for (const text of ['lost', '-v..HEAD', 'HEAD;ls', 'HEAD^{tree}', '../x..HEAD', ''])
      expect(await range(text), text).toBeUndefined();
    put(memory, 'feature', 'a file\n');
    const code = async () => ({ definitions: async () => ({ definitions: [] }) }) as never;
    const context = { root: memory.work, cwd: memory.work, code, mayBeIgnored: true };
    expect(await resolveSubject('feature', context)).toEqual({ path: 'feature' });
    expect(await resolveSubject('feature~0', context)).toMatchObject({ head: tip });
  });

  it('[why-change] explains what is staged, which turn removed lines, and what is open', async () => {
    await workOnBranch();
    memory.prompt('Remove the retries again. The drive was replaced.', { prompt_id: 'turn-2' });
    editAs(memory, 'session-1', 'turn-2', 'src/load.js', 'export function load(name) {\n}\n');
    command('npm run lint', 1, 'turn-2');
    git(memory.work, 'add', 'src/load.js');
    const answer = await ask('--staged');
    expect(answer.files).toMatchObject([{ path: 'src/load.js', added: 0, removed: 4 }]);
    expect(answer.turns).toMatchObject([
      { removed: 3, asked: [{ text: expect.stringContaining('replaced') }] },
    ]);
    expect(answer.open).toEqual([
      '`npm run lint` failed last',
      expect.stringContaining('the last request has no answer: Remove the retries again.'),
    ]);
  });

  it('does not call the prompts of programs the words of the user', async () => {
    put(memory, 'a.js', 'one();\n');
    commitAll(memory, 'one');
    memory.prompt('Connect it to the store.');
    editAs(memory, 'session-1', 'turn-1', 'a.js', 'one();\nconnectToTheStore();\n');
    commitAll(memory, 'two');
    const answer = await ask('HEAD');
    const untyped = structuredClone(answer);
    for (const quote of untyped.turns[0]?.asked ?? []) quote.by = 'agent';
    expect(shown(answer)).not.toContain('not typed by you');
    expect(shown(untyped)).toContain('(not typed by you) Connect it to the store.');
    for (const quote of untyped.turns[0]?.asked ?? []) quote.by = 'unconfirmed';
    expect(shown(untyped)).toContain('(not confirmed as yours) Connect it to the store.');
  });

  it('[why-change] fits 40 lines of a terminal and 1,200 tokens of a model', async () => {
    const lines: string[] = [];
    for (let turn = 0; turn < 30; turn++) {
      memory.prompt(`Please add ${'very long words about it '.repeat(30)} for reason ${turn}.`, {
        prompt_id: `t${turn}`,
      });
      for (let line = 0; line < 4; line++) lines.push(`const value${turn}x${line} = compute(${line});`);
      editAs(memory, 'session-1', `t${turn}`, `wide${turn}.js`, `${lines.join('\n')}\n`);
      memory.answer(`Done. ${'I considered another way but it was too slow here. '.repeat(20)}`, {
        prompt_id: `t${turn}`,
      });
    }
    commitAll(memory, 'all');
    const answer = await ask('HEAD');
    expect(answer.turns).toHaveLength(30);
    expect(wrap(shown(answer), 100).split('\n').length).toBeLessThanOrEqual(40);
    expect(estimateTokens(renderChangeForAgent(answer, memory.clock.now()))).toBeLessThanOrEqual(1_200);
  });
});
