import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commitAll, editAs } from '../../../test/support/agent-edits.ts';
import { createMemoryHome, type MemoryHome } from '../../../test/support/memory-home.ts';
import { git } from '../../../test/support/sandbox.ts';
import { lineHash } from '../../base/hash.ts';
import type { EventEnvelope } from '../../domain/event.ts';

let memory: MemoryHome;
let calls = 0;
/** The time of files is real, so this clock is, too; but it stands still while a command is reported. */
let frozen: number | undefined;
const clock = { now: () => frozen ?? Date.now(), set: () => {} };
const source = Array.from({ length: 20 }, (_, at) => `export const value${at} = compute(${at});`).join('\n');
const read = (path: string): string => readFileSync(join(memory.work, path), 'utf8');
const write = (path: string, text: string): void => writeFileSync(join(memory.work, path), text);

/** Runs a shell command as an agent's tool, with its hook; `tookMs` if the agent reports it differently. */
async function run(command: string, { session = 's1', tookMs = -1, meanwhile = () => {} } = {}) {
  const start = clock.now();
  execFileSync('sh', ['-c', command], { cwd: memory.work, stdio: 'ignore' });
  meanwhile();
  // The times of files have fractions of a millisecond.
  frozen = clock.now() + 1;
  memory.hook({
    hook_event_name: 'PostToolUse',
    session_id: session,
    prompt_id: `turn-${session}`,
    cwd: memory.work,
    tool_name: 'Bash',
    tool_use_id: `use-${++calls}`,
    tool_input: { command },
    tool_response: { stdout: '', stderr: '' },
    ...(tookMs === 0 ? {} : { duration_ms: tookMs === -1 ? clock.now() - start : tookMs }),
  });
  await memory.compareFiles();
  frozen = undefined;
}

const prompt = (session = 's1') =>
  memory.prompt('Change it', { session_id: session, prompt_id: `turn-${session}` });

type Edit = Extract<EventEnvelope, { kind: 'edit' }>;
const isByCommand = (event: EventEnvelope): event is Edit =>
  event.kind === 'edit' && event.body.command !== undefined;

/** The edits of commands after a drain, as `path: added lines`, with the lines of the file that they name. */
async function commandEdits(): Promise<string[]> {
  await memory.drain();
  return memory
    .events()
    .filter(isByCommand)
    .map(({ body: { path, hunks } }) => {
      const text = new Map(
        read(path)
          .split('\n')
          .map((line) => [lineHash(line), line.trim()]),
      );
      const added = hunks.flatMap((hunk) => hunk.added.map((hash) => text.get(hash) ?? '?'));
      return `${path}: ${added.filter((line) => line !== '').join(' | ')}`;
    });
}

/** A pause long enough that a time before it is outside of a command's. On a busy machine it is longer, which does no harm. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 700));

beforeEach(async () => {
  memory = createMemoryHome(clock);
  git(memory.work, 'init', '-q', '-b', 'main', '.');
  git(memory.work, 'config', 'user.name', 'T');
  git(memory.work, 'config', 'user.email', 't@example.org');
  write('a.ts', source);
  write('b.ts', source.replaceAll('value', 'other'));
  commitAll(memory, 'Start');
  prompt();
  await memory.compareFiles();
});
afterEach(() => memory.remove());

describe('lines that a shell command wrote', () => {
  it('[shell-lines] are an edit of the turn that ran it, whether it changed files or made one', async () => {
    await run("sed -i 's/compute(3)/compute(33)/' a.ts && printf 'export const fresh = 1;\\n' > new.ts");
    expect(await commandEdits()).toEqual([
      'a.ts: export const value3 = compute(33);',
      'new.ts: export const fresh = 1;',
    ]);
    const [edit] = memory.events().filter(isByCommand);
    const [command] = memory.events().filter(({ kind }) => kind === 'command');
    expect(edit).toMatchObject({
      agent: 'claude-code',
      agentSession: 's1',
      trust: 1,
      body: { turn: 'turn-s1', command: command?.id },
    });
  });

  it('do not include what the agent reported or an earlier command wrote', async () => {
    await run("sed -i 's/compute(3)/compute(33)/' a.ts");
    editAs(memory, 's1', 'turn-s1', 'a.ts', read('a.ts').replace('compute(5)', 'compute(55)'));
    await run("sed -i 's/compute(7)/compute(77)/' a.ts");
    expect(await commandEdits()).toEqual([
      'a.ts: export const value3 = compute(33);',
      'a.ts: export const value7 = compute(77);',
    ]);
  });

  it('are not in a file that the agent wrote last, even if it reported other text', async () => {
    write('a.ts', read('a.ts').replace('compute(5)', 'compute(55)'));
    memory.hook({
      hook_event_name: 'PostToolUse',
      session_id: 's1',
      prompt_id: 'turn-s1',
      cwd: memory.work,
      tool_use_id: 'reported',
      tool_name: 'Edit',
      tool_input: { file_path: join(memory.work, 'a.ts') },
      tool_response: { structuredPatch: [{ oldStart: 6, newStart: 6, lines: ['+const other = 1;'] }] },
    });
    await run('true', { tookMs: 10_000 });
    expect(await commandEdits()).toEqual([]);
  });

  it('are known in a file that a formatter wrote anew', async () => {
    const long = Array.from({ length: 3_000 }, (_, at) => `export const many${at} = { a: ${at}, b: 2 };`);
    write('a.ts', long.join('\n'));
    await memory.compareFiles();
    await pause();
    await run(`sed -i 's/{ a: \\([0-9]*\\), b/{\\n  a: \\1,\\n  b/' a.ts`);
    const [edit = ''] = await commandEdits();
    expect(edit).toContain('| a: 2999, | b: 2 };');
  });

  it('are known if the command committed them, and not if it brought the commits of others', async () => {
    git(memory.work, 'checkout', '-q', '-b', 'theirs');
    write('b.ts', read('b.ts').replace('compute(1)', 'theirs(1)'));
    commitAll(memory, 'Theirs');
    git(memory.work, 'checkout', '-q', 'main');
    await memory.compareFiles();
    await run("sed -i 's/compute(3)/compute(33)/' a.ts && git commit -qam Three");
    await run('git merge -q theirs --no-edit');
    await run('git checkout -q HEAD~1 && git checkout -q main');
    expect(await commandEdits()).toEqual(['a.ts: export const value3 = compute(33);']);
  });

  it('do not include lines that were restored, stashed, moved or copied', async () => {
    write('a.ts', read('a.ts').replace('compute(1)', 'mine(1)'));
    await memory.compareFiles();
    await pause();
    await run('git stash -q');
    await run('git stash pop -q');
    await run('mv a.ts c.ts && cp b.ts d.ts');
    await run('git checkout -q -- a.ts');
    expect(await commandEdits()).toEqual([]);
  });
});

describe("a person's lines are not the command's", () => {
  const edit = (path = 'a.ts') => write(path, read(path).replace('compute(1)', 'person(1)'));

  it('[shell-lines] if they were written before or after it', async () => {
    edit('b.ts');
    await pause();
    await run("sed -i 's/compute(3)/compute(33)/' a.ts");
    await pause();
    edit();
    await pause();
    await run('true');
    expect(await commandEdits()).toEqual(['a.ts: export const value3 = compute(33);']);
  });

  it('if they may have been written before the prompt, to the same file', async () => {
    edit();
    memory.prompt('Now format it', { session_id: 's1', prompt_id: 'turn-2' });
    await pause();
    await run("sed -i 's/compute(3)/compute(33)/' a.ts");
    expect(await commandEdits()).toEqual([]);
  });

  it('if they were saved during the turn and a stash wrote the file again', async () => {
    edit();
    await pause();
    await run('git stash -q && git stash pop -q');
    expect(await commandEdits()).toEqual([]);
  });

  it('if they were saved during the turn and the command wrote only its own text to the file', async () => {
    edit();
    await run("cat >> a.ts <<'END'\n\nexport const appended = 1;\nEND");
    await pause();
    edit('b.ts');
    const patch = [
      '--- a/b.ts',
      '+++ b/b.ts',
      '@@ -9,1 +9,2 @@',
      ` ${read('b.ts').split('\n')[8]}`,
      '+patched();',
    ];
    await run(`git apply --unidiff-zero <<'END'\n${patch.join('\n')}\nEND`);
    expect(await commandEdits()).toEqual(['a.ts: export const appended = 1;', 'b.ts: patched();']);
  });

  it('if a long command ran meanwhile that does not name the file', async () => {
    await run('true', { tookMs: 600_000, meanwhile: edit });
    await run('cat b.ts', { tookMs: 600_000, meanwhile: () => edit('b.ts') });
    expect(await commandEdits()).toEqual(['b.ts: export const other1 = person(1);']);
  });

  it('if two sessions ran commands at the time', async () => {
    prompt('s2');
    await memory.compareFiles();
    const meanwhile = () => edit();
    memory.hook({ hook_event_name: 'Stop', session_id: 's2', prompt_id: 'turn-s2', cwd: memory.work });
    await run('true', { session: 's2', tookMs: 600_000, meanwhile });
    await run('true', { tookMs: 600_000 });
    expect(await commandEdits()).toEqual([]);
  });
});

it('[shell-lines] excluded, secret, binary and ignored files are never compared', async () => {
  write('.gitignore', 'out/\n');
  await memory.compareFiles();
  await pause();
  await run(
    "mkdir out; for f in key.pem .env .env.local out/x.ts; do echo 'export const word = 1;' > $f; done; printf 'a\\0b' > x.bin",
  );
  expect(await commandEdits()).toEqual([]);
  const project = memory.paths.project(memory.open().project);
  const states = readFileSync(project.fileStates(memory.events().find(isEvent)?.checkout ?? ''), 'utf8');
  expect(states).toContain('.gitignore');
  expect(states).not.toMatch(/pem|env|out|word/);
});
const isEvent = ({ checkout }: EventEnvelope): boolean => checkout !== '';

it('what a killed drain had taken is read again by the next', async () => {
  const { comparisons } = memory.paths.project(memory.open().project);
  await run("sed -i 's/compute(3)/compute(33)/' a.ts");
  renameSync(comparisons, `${comparisons}.taken`);
  expect(await commandEdits()).toEqual(['a.ts: export const value3 = compute(33);']);
});
