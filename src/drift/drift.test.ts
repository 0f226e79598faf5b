import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aChunk } from '../../test/contract/samples.ts';
import { commitAll, editAs, put } from '../../test/support/agent-edits.ts';
import { cpuClock } from '../../test/support/cpu-time.ts';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import { git } from '../../test/support/sandbox.ts';
import { lineHash } from '../base/hash.ts';
import { createSymbolReader } from '../code/symbols/symbol-reader.ts';
import type { Anchor } from '../domain/anchor.ts';
import type { Evidence } from '../recall/evidence.ts';
import type { Hit } from '../recall/hit.ts';
import { quickLimits } from '../recall/with-index.ts';
import { checkAnchors, checkDrift } from './check-drift.ts';
import { checkedRecall } from './checked-recall.ts';
import { type CheckedCode, CurrentCode, headOf } from './current-code.ts';

let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
  git(memory.work, 'init', '-q', '-b', 'main', '.');
  put(memory, 'src/load.js', base);
  commitAll(memory, 'Load and save');
});
afterEach(() => memory.remove());

const base = `import { open } from 'store';

export function load(name) {
  const file = open(name);
  return file.read();
}

export function save(name, text) {
  const file = open(name);
  file.write(text);
}

export function rename(from, to) {
  const file = open(from);
  file.moveTo(to);
  file.close();
}
`;
const retry = `export function retry(task, times) {
  for (let attempt = 0; attempt < times; attempt++) {
    const outcome = task.attemptOnce(attempt);
    if (outcome.isSettled()) return outcome.valueOrThrow();
  }
  throw new RetriesExhausted(task.describe());
}
`;
const withRetry = base.replace('export function save', `${retry}\nexport function save`);

const read = createSymbolReader(join(import.meta.dirname, '../../assets/grammars'), cpuClock);
const code = (): CheckedCode => ({
  root: memory.work,
  budgetMs: 60_000,
  key: memory.open().device.key,
  symbols: async (path, text) => (await read(path, text)).symbols,
});

const question = 'Why do we retry tasks a fixed number of times?';
/** Simulates a session that adds `retry` to `src/load.js` and reports it. */
function addRetry(): void {
  memory.prompt('Add a helper that retries tasks a fixed number of times.');
  editAs(memory, 'session-1', 'turn-1', 'src/load.js', withRetry);
  memory.answer('Tasks are retried a fixed number of times, because the broker restarts quickly.');
}

const ask = async (text = question, page: { limit?: number; offset?: number } = {}): Promise<Hit[]> =>
  (await checkedRecall(memory.open(), { text, now: memory.clock.now(), ...page }, quickLimits, code())).hits;
const answerDrift = async () =>
  (await ask()).find(({ chunk }) => chunk.kind === 'answer' && chunk.agentSession === 'session-1')?.drift;

describe('drift', () => {
  it('[drift] calls code current if it exists, even if shifted or reindented', async () => {
    addRetry();
    expect(await answerDrift()).toMatchObject({ state: 'current', path: 'src/load.js', from: 8, to: 14 });
    commitAll(memory, 'Retry');
    expect(await answerDrift()).toMatchObject({ state: 'current', from: 8 });
    put(memory, 'src/load.js', `// one\n// two\n// three\n// four\n// five\n${withRetry}`);
    expect(await answerDrift()).toMatchObject({ state: 'current', from: 13, to: 19 });
    put(memory, 'src/load.js', withRetry.replaceAll('  ', '\t'));
    commitAll(memory, 'Tabs');
    expect(await answerDrift()).toMatchObject({ state: 'current' });
    await memory.drain();
    expect(await answerDrift()).toMatchObject({ state: 'current' });
  });

  it.each(['\n', '\r\n'])(
    '[drift] calls a fresh edit with tabs current, reported with spaces (%j)',
    async (end) => {
      const onDisk = (text: string) => text.replaceAll('  ', '\t').replaceAll('\n', end);
      put(memory, 'src/load.js', onDisk(base));
      commitAll(memory, 'Tabs');
      memory.prompt('Add a helper that retries tasks a fixed number of times.');
      put(memory, 'src/load.js', base);
      editAs(memory, 'session-1', 'turn-1', 'src/load.js', withRetry);
      memory.answer('Tasks are retried a fixed number of times, because the broker restarts quickly.');
      put(memory, 'src/load.js', onDisk(withRetry));
      expect(await answerDrift()).toMatchObject({ state: 'current', from: 8, to: 14 });
      put(memory, 'src/load.js', `one${end}${onDisk(withRetry)}`);
      expect(await answerDrift()).toMatchObject({ state: 'current', from: 9, to: 15 });
    },
  );

  it('[drift] finds moved code: in its file, in another file, or in a renamed file', async () => {
    addRetry();
    commitAll(memory, 'Retry');
    put(memory, 'src/load.js', `${base}\n${retry}`);
    expect(await answerDrift()).toMatchObject({ state: 'moved', path: 'src/load.js', from: 19 });
    put(memory, 'src/load.js', base);
    put(memory, 'src/retry.js', `import { task } from 'task';\n\n${retry}`);
    expect(await answerDrift()).toMatchObject({ state: 'moved', path: 'src/retry.js', from: 3 });
    commitAll(memory, 'Own file');
    expect(await answerDrift()).toMatchObject({ state: 'moved', path: 'src/retry.js', was: 'src/load.js' });
    git(memory.work, 'reset', '-q', '--hard', 'HEAD~1');
    renameSync(join(memory.work, 'src/load.js'), join(memory.work, 'src/files.js'));
    expect(await answerDrift()).toMatchObject({ state: 'moved', path: 'src/files.js' });
    commitAll(memory, 'Rename');
    renameSync(join(memory.work, 'src/files.js'), join(memory.work, 'src/disk.js'));
    commitAll(memory, 'Rename again');
    expect(await answerDrift()).toMatchObject({ state: 'moved', path: 'src/disk.js', from: 8 });
  });

  it('[drift] names the commit that changed or removed code, or says that the change is uncommitted', async () => {
    addRetry();
    commitAll(memory, 'Retry');
    put(memory, 'src/load.js', withRetry.replace('attempt < times', 'attempt <= times'));
    expect(await answerDrift()).toMatchObject({ state: 'changed', by: 'uncommitted', keptLines: 4, of: 5 });
    const changed = commitAll(memory, 'One more');
    put(memory, 'src/load.js', `// later\n${withRetry.replace('attempt < times', 'attempt <= times')}`);
    commitAll(memory, 'Later');
    expect(await answerDrift()).toMatchObject({ state: 'changed', by: changed });
    put(memory, 'src/load.js', base);
    const removed = commitAll(memory, 'No retries');
    expect(await answerDrift()).toMatchObject({ state: 'gone', by: removed });
    rmSync(join(memory.work, 'src/load.js'));
    commitAll(memory, 'No file');
    expect((await answerDrift())?.state).toBe('gone');
  });

  it('[drift] says of a scratch file that no commit ever had only that its code is gone', async () => {
    memory.prompt('Try the retries in a scratch file.');
    editAs(memory, 'session-1', 'turn-1', 'src/scratch_test.js', retry);
    memory.answer('Tasks are retried a fixed number of times, as the scratch file shows.');
    rmSync(join(memory.work, 'src/scratch_test.js'));
    const drift = await answerDrift();
    expect(drift).toMatchObject({ state: 'gone', path: 'src/scratch_test.js', keptLines: 0 });
    expect(drift).not.toHaveProperty('by');
  });

  it('[drift-branch] names the branch on which the code exists', async () => {
    git(memory.work, 'checkout', '-q', '-b', 'feature/x');
    addRetry();
    commitAll(memory, 'Retry');
    git(memory.work, 'checkout', '-q', 'main');
    expect(await answerDrift()).toMatchObject({ state: 'elsewhere', branch: 'feature/x' });
    git(memory.work, 'branch', '-q', '-m', 'feature/x', 'renamed');
    expect(await answerDrift()).toMatchObject({ state: 'elsewhere', branch: 'feature/x' });
    git(memory.work, 'branch', '-q', '-m', 'renamed', 'feature/x');
    git(memory.work, 'merge', '-q', '--ff-only', 'feature/x');
    expect(await answerDrift()).toMatchObject({ state: 'current' });
  });

  it('[drift-rank] ranks hits with lost code lower', async () => {
    addRetry();
    memory.prompt('We retry tasks a fixed number of times in the mail queue too.', {
      session_id: 'session-2',
    });
    commitAll(memory, 'Retry');
    const before = await ask();
    put(memory, 'src/load.js', base);
    const after = await ask();
    const ids = (hits: Hit[]) => hits.map(({ id }) => id).sort();
    expect(ids(after)).toEqual(ids(before));
    const states = after.map(({ drift }) => drift?.state);
    expect(states).toContain('gone');
    const [gone] = after.filter(({ drift }) => drift?.state === 'gone');
    const place = (hits: Hit[]) => hits.findIndex(({ id }) => id === gone?.id);
    expect(place(after)).toBeGreaterThan(place(before));
    const pages: Hit[] = [];
    for (const offset of after.keys()) pages.push(...(await ask(question, { limit: 1, offset })));
    expect(
      pages.map(({ id }) => id),
      'in pages of one',
    ).toEqual(after.map(({ id }) => id));
  });

  it('[drift] compares the lines that a commit added', async () => {
    const { head } = headOf(memory.work);
    const text = `commit ${head.slice(0, 12)}: Load and save`;
    const chunk = aChunk({ kind: 'commit', agentSession: '', turn: '', paths: ['src/load.js'], text });
    const evidence = {
      tiesOf: async () => new Map(),
      events: async () => new Map(),
      ofTurns: async () => ({ edits: [], reads: [] }),
    } as unknown as Evidence;
    const stateNow = async () => (await checkDrift([chunk], evidence, code())).get(chunk)?.state;
    expect(await stateNow()).toBe('current');
    rmSync(join(memory.work, 'src/load.js'));
    expect(await stateNow()).toBe('gone');
  });

  it('reports chunks without code as unanchored, and uses only the disk outside git', async () => {
    memory.prompt('We never retry tasks by hand.', { session_id: 'session-2', prompt_id: 'turn-2' });
    expect((await ask())[0]?.drift?.state).toBe('unanchored');
    addRetry();
    rmSync(join(memory.work, '.git'), { recursive: true });
    expect(await answerDrift()).toMatchObject({ state: 'current' });
    put(memory, 'src/load.js', base);
    expect((await answerDrift())?.state).toBe('unchecked');
    rmSync(join(memory.work, 'src/load.js'));
    expect(await answerDrift()).toMatchObject({ state: 'gone', path: 'src/load.js' });
  });

  it('[drift] does not mistake a common line of the next function for the deleted one', async () => {
    const first = 'export function first(name) {\n  log(name);\n  return 1;\n}\n';
    const second = 'export function second() {\n  return null;\n}\n';
    put(memory, 'src/two.js', first + second);
    commitAll(memory, 'Two functions');
    memory.prompt('Give up after a fixed number of retries.');
    const written = first.replace('return 1;', 'return null;') + second;
    editAs(memory, 'session-1', 'turn-1', 'src/two.js', written);
    memory.answer('It gives up after a fixed number of retries.');
    expect(await answerDrift()).toMatchObject({ state: 'current', from: 3 });
    commitAll(memory, 'Give up');
    put(memory, 'src/two.js', second);
    const removed = commitAll(memory, 'Only the second');
    expect(await answerDrift()).toMatchObject({ state: 'gone', by: removed });
  });

  it('[drift] calls code unchecked if its file was not read', async () => {
    addRetry();
    commitAll(memory, 'Retry');
    put(memory, 'src/load.js', `// ${'x'.repeat(4 * 1024 * 1024)}\n${withRetry}`);
    expect((await answerDrift())?.state).toBe('unchecked');
    commitAll(memory, 'Very large');
    expect((await answerDrift())?.state).toBe('unchecked');
  });

  it('[drift] still returns hits if the check fails', async () => {
    addRetry();
    put(memory, 'src/load.js', base);
    const failing: CheckedCode = {
      get root(): string {
        throw new Error('no such code');
      },
      key: '',
    };
    const query = { text: question, now: memory.clock.now() };
    const { hits } = await checkedRecall(memory.open(), query, quickLimits, failing);
    expect(hits.length).toBeGreaterThan(0);
    expect(hits.map(({ drift }) => drift?.state)).toContain('unchecked');
  });

  it('[drift] compares an edit without a recorded commit with the last commit before it', async () => {
    const written = ['  const file = openWithRetries(name);', '  return file.readAll();'];
    const replaced = ['  const file = open(name);', '  return file.read();'];
    const anchor: Anchor = {
      path: 'src/load.js',
      start: 1,
      lines: {
        kind: 'hashes',
        hashes: written.map(lineHash),
        replaced: { start: 1, hashes: replaced.map(lineHash) },
      },
      commit: '',
      branch: 'main',
      at: memory.clock.now(),
    };
    const drift = async () => (await checkAnchors([anchor], new CurrentCode(code()))).get(anchor);
    put(memory, 'src/load.js', base.replace(replaced.join('\n'), written.join('\n')));
    expect(await drift()).toMatchObject({ state: 'current', from: 4, to: 5 });
    put(memory, 'src/load.js', base);
    expect(await drift()).toMatchObject({ state: 'changed', keptLines: 0 });
  });

  it('reads no more files after its time limit', async () => {
    const edited = (path: string): Anchor => ({
      path,
      start: 1,
      lines: { kind: 'hashes', hashes: [lineHash('nowhere in it')] },
      commit: '',
      branch: '',
      at: 0,
    });
    put(memory, 'src/a.js', base);
    put(memory, 'src/b.js', base);
    const read: string[] = [];
    class Watched extends CurrentCode {
      override file(path: string) {
        read.push(path);
        return super.file(path);
      }
      override get remainingMs(): number {
        return read.length === 0 ? 1_000 : 0;
      }
    }
    const found = await checkAnchors([edited('src/a.js'), edited('src/b.js')], new Watched(code()));
    expect(read).toEqual(['src/a.js']);
    expect([...found.values()].map(({ state }) => state)).toEqual(['unchecked', 'unchecked']);
  });

  it('ignores files outside the checkout', async () => {
    addRetry();
    editAs(memory, 'session-1', 'turn-1', '../notes.txt', 'first\nsecond line of it\n');
    put(memory, 'src/load.js', `// above\n// all\n// else\n// here\n${withRetry}`);
    commitAll(memory, 'Retry');
    expect(await answerDrift()).toMatchObject({ state: 'current', path: 'src/load.js', from: 12 });
  });

  it('anchors a turn that only read files to the lines that were shown', async () => {
    const lines = base.split('\n').slice(2, 6);
    memory.prompt('How does load work?', { session_id: 'session-1', prompt_id: 'turn-7' });
    memory.hook({
      hook_event_name: 'PostToolUse',
      session_id: 'session-1',
      prompt_id: 'turn-7',
      cwd: memory.work,
      tool_use_id: 'read-1',
      tool_name: 'Read',
      tool_input: { file_path: join(memory.work, 'src/load.js') },
      tool_response: {
        type: 'text',
        file: {
          filePath: join(memory.work, 'src/load.js'),
          content: lines.join('\n'),
          startLine: 3,
          numLines: 4,
          totalLines: 17,
        },
      },
    });
    memory.answer('A fixed number of retries is in src/load.js: load opens the file and reads it.', {
      prompt_id: 'turn-7',
    });
    expect(await answerDrift()).toMatchObject({ state: 'current', from: 3, to: 6 });
    put(memory, 'src/load.js', `// new\n${base}`);
    expect(await answerDrift()).toMatchObject({ state: 'current', from: 4 });
    put(memory, 'src/load.js', base.replace('return file.read();', 'return file.readAll();'));
    expect(await answerDrift()).toMatchObject({ state: 'changed', by: 'uncommitted' });
  });

  it('[drift-failed] lists reverted attempts in a file that the query names', async () => {
    addRetry();
    commitAll(memory, 'Retry');
    memory.prompt('Try a watcher instead.', { prompt_id: 'turn-2' });
    editAs(
      memory,
      'session-1',
      'turn-2',
      'src/load.js',
      withRetry.replace('task.attemptOnce', 'watch.onChange'),
    );
    editAs(memory, 'session-1', 'turn-2', 'src/load.js', withRetry);
    memory.answer('The watcher did not work on network drives, so I reverted it.', { prompt_id: 'turn-2' });
    const about = async (text: string) =>
      (await checkedRecall(memory.open(), { text }, quickLimits, code())).failedPaths;
    expect(await about('how does src/load.js retry')).toMatchObject([
      {
        path: 'src/load.js',
        prompt: { text: 'Try a watcher instead.' },
      },
    ]);
    expect(await about('how do we retry')).toEqual([]);
  });
});
