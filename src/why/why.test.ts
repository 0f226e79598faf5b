import { renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commitAll, editAs, gitAt, put } from '../../test/support/agent-edits.ts';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import { git } from '../../test/support/sandbox.ts';
import { notePartsOf } from '../memory/notes/note-parts.ts';
import { rememberNote } from '../memory/notes/remember.ts';
import { quickLimits } from '../recall/with-index.ts';
import { estimateTokens } from '../text/tokens.ts';
import { renderWhyForAgent } from './render.ts';
import { resolveTarget } from './target.ts';
import { type WhyAnswer, why } from './why.ts';

let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
  git(memory.work, 'init', '-q', '-b', 'main', '.');
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
`;
const retrying = base.replace(
  '  return file.read();',
  '  for (let tries = 0; tries < 5; tries++) {\n    if (file.isReady()) return file.read();\n    sleep(200);\n  }\n  throw new Error(name);',
);

/** A session that adds retries to `src/load.js` for a reason, after a commit without it. */
function workOnRetries(): void {
  put(memory, 'src/load.js', base);
  commitAll(memory, 'Load and save');
  memory.prompt('Make load wait until the file is ready; the network drive is slow in the morning.');
  editAs(memory, 'session-1', 'turn-1', 'src/load.js', retrying);
  memory.answer(
    'Load now retries five times. We use a fixed delay instead of exponential backoff because the drive wakes within a second. I tried a file watcher but it did not work on network drives.',
  );
}

const ask = (target: string): Promise<WhyAnswer> =>
  resolveTarget(target, { root: memory.work, cwd: memory.work, code: noCode, mayBeIgnored: true }).then(
    (query) =>
      why({ parts: memory.open(), root: memory.work }, query, {
        now: memory.clock.now(),
        limits: quickLimits,
        code: { root: memory.work, key: '' },
      }),
  );
const noCode = () => Promise.reject(new Error('no symbol was asked for'));
const only = async (target: string) => {
  const { origins } = await ask(target);
  expect(origins).toHaveLength(1);
  return origins[0] as WhyAnswer['origins'][number];
};
const sessionOf = async (target: string) => (await only(target)).session?.agentSession;

describe('why', () => {
  it('[why] finds the symbol of a file by FILE:SYMBOL, and never takes a file for one', async () => {
    put(memory, 'src/load.js', base);
    const asked: unknown[] = [];
    const code = async () => ({
      definitions: async ({ name, path }: { name: string; path?: string | undefined }) => {
        asked.push([name, path]);
        return { definitions: [{ path: 'src/load.js', startLine: 3, endLine: 6 }] } as never;
      },
      lines: () => Promise.reject(new Error('no line was asked for')),
    });
    const context = { root: memory.work, cwd: memory.work, code, mayBeIgnored: true };
    expect(await resolveTarget('src/load.js:load', context)).toEqual({
      path: 'src/load.js',
      range: { from: 3, to: 6 },
    });
    expect(await resolveTarget('src/load.js:3', context)).toMatchObject({ range: { from: 3, to: 3 } });
    await expect(resolveTarget('src/lost.js:load', context)).rejects.toThrow('not a file');
    expect(asked).toEqual([['load', 'src/load.js']]);
  });

  it('[why] returns commit, agent session, prompt, and what was kept as decided and as failed', async () => {
    workOnRetries();
    const derivedFrom = memory.events().flatMap(({ kind, id }) => (kind === 'prompt' ? [id] : []));
    const kept = { concepts: [], files: [], trust: 2 as const, author: 'tester', derivedFrom };
    const parts = notePartsOf(memory.open());
    await rememberNote(parts, { ...kept, kind: 'decision', text: 'A fixed delay, no backoff.' });
    await rememberNote(parts, { ...kept, kind: 'failed', text: 'A file watcher.' });
    await rememberNote(parts, { ...kept, kind: 'decision', text: 'Elsewhere.', derivedFrom: [] });
    await rememberNote(parts, { ...kept, kind: 'decision', text: 'Unreviewed.', trust: 1 });
    const commit = commitAll(memory, 'Wait for slow drives\n\nThe morning job failed.');
    const origin = await only('src/load.js:7');
    expect(origin).toMatchObject({
      text: '    sleep(200);',
      commit: {
        hash: commit,
        summary: 'Wait for slow drives',
        message: expect.stringContaining('morning job'),
      },
      session: { agent: 'claude-code', agentSession: 'session-1', turn: 'turn-1' },
      reason: {
        prompt: { text: expect.stringContaining('network drive is slow') },
        decisions: [{ text: 'A fixed delay, no backoff.' }],
        rejected: [{ text: 'A file watcher.' }],
      },
    });
  });

  it('[why] shows the notes about the lines, not those about other lines of the file or the whole session', async () => {
    workOnRetries();
    const parts = notePartsOf(memory.open());
    const about = {
      concepts: [],
      files: ['src/load.js'],
      trust: 2 as const,
      author: 'tester',
      derivedFrom: [],
    };
    await rememberNote(parts, { ...about, kind: 'summary', text: 'A session that edited the file.' });
    await rememberNote(parts, { ...about, kind: 'knowledge', text: 'Loading is slow on Mondays.' });
    await rememberNote(parts, { ...about, kind: 'rule', text: 'Keep loading synchronous.' });
    const textsOf = async (target: string) => (await ask(target)).notes.map(({ text }) => text);
    expect(await textsOf('src/load.js:7')).toEqual(['Keep loading synchronous.']);
    expect((await textsOf('src/load.js')).sort()).toEqual([
      'Keep loading synchronous.',
      'Loading is slow on Mondays.',
    ]);
  });

  it('[why-uncommitted] finds the writer of an uncommitted line', async () => {
    workOnRetries();
    const origin = await only('src/load.js:7');
    expect(origin.commit).toBeUndefined();
    expect(origin.session?.agentSession).toBe('session-1');
    put(memory, 'new.js', 'const writtenByHand = 1;\n');
    expect((await only('new.js:1')).session).toBeUndefined();
    editAs(memory, 'session-2', 'turn-9', 'fresh.js', 'const writtenByAgent = 1;\n');
    expect(await sessionOf('fresh.js:1')).toBe('session-2');
  });

  it('[why-honest] names no session for lines that a person wrote, even if an agent wrote the same line elsewhere', async () => {
    workOnRetries();
    put(
      memory,
      'src/other.js',
      'export function wait(file) {\n  const before = file.state();\n    sleep(200);\n}\n',
    );
    commitAll(memory, 'Wait for slow drives');
    expect(await sessionOf('src/load.js:3')).toBeUndefined();
    expect(await sessionOf('src/other.js:3')).toBeUndefined();
    put(memory, 'src/load.js', retrying.replace('file.write(text);', 'file.write(text);\n    sleep(200);'));
    commitAll(memory, 'By hand');
    expect(await sessionOf('src/load.js:14')).toBeUndefined();
    expect(await sessionOf('src/load.js:7')).toBe('session-1');
  });

  it('[why-honest] names no session for repeated lines amid lines of nobody’s session', async () => {
    put(memory, 'src/load.js', base);
    commitAll(memory, 'Load and save');
    const check = '  if (!file.isReady()) {\n    return undefined;\n  }\n';
    editAs(memory, 'session-1', 'turn-1', 'src/load.js', base.replace('  return', `${check}  return`));
    put(memory, 'src/load.js', base);
    const byHand = (name: string): string =>
      `\nexport function ${name}(queue) {\n  const file = queue.${name}File();\n${check}  queue.${name}All(file);\n}\n`;
    put(memory, 'src/load.js', base + byHand('drain') + byHand('flush'));
    commitAll(memory, 'By hand');
    for (const line of [15, 16, 17, 23, 24, 25])
      expect(await sessionOf(`src/load.js:${line}`), `line ${line}`).toBeUndefined();
    editAs(memory, 'session-2', 'turn-2', 'src/load.js', base + byHand('drain') + byHand('settle'));
    commitAll(memory, 'Settle');
    expect(await sessionOf('src/load.js:22')).toBe('session-2');
  });

  it('[why-follows] follows renames, indentation, moves, squashes and cherry-picks', async () => {
    workOnRetries();
    commitAll(memory, 'Wait for slow drives');
    renameSync(join(memory.work, 'src/load.js'), join(memory.work, 'src/files.js'));
    commitAll(memory, 'Rename');
    expect(await sessionOf('src/files.js:7')).toBe('session-1');
    put(memory, 'src/files.js', retrying.replaceAll('  ', '    '));
    commitAll(memory, 'Indent by four');
    expect(await sessionOf('src/files.js:7')).toBe('session-1');
    git(memory.work, 'checkout', '-q', '-b', 'feature');
    editAs(
      memory,
      'session-2',
      'turn-2',
      'src/flush.js',
      'export function flush(queue) {\n  queue.drainEverything();\n  queue.closeAfterDrain();\n}\n',
    );
    commitAll(memory, 'Flush');
    renameSync(join(memory.work, 'src/flush.js'), join(memory.work, 'src/drain.js'));
    commitAll(memory, 'Better name');
    const picked = git(memory.work, 'rev-parse', 'HEAD~1').trim();
    git(memory.work, 'checkout', '-q', 'main');
    git(memory.work, 'merge', '-q', '--squash', 'feature');
    const squashed = commitAll(memory, 'Flush, squashed');
    expect(await only('src/drain.js:2')).toMatchObject({
      commit: { hash: squashed },
      session: { agentSession: 'session-2' },
    });
    git(memory.work, 'checkout', '-q', '-b', 'release', 'main~1');
    gitAt(memory.clock.now(), memory.work, 'cherry-pick', picked);
    expect(await sessionOf('src/flush.js:3')).toBe('session-2');
  });

  it('[why-follows] finds who wrote a block that a person moved, and is not sure if two sessions wrote the same', async () => {
    const block =
      'export function retry(task) {\n  const attempt = task.start();\n  attempt.waitFor(200);\n}\n';
    put(memory, 'src/a.js', base);
    put(memory, 'src/b.js', base);
    commitAll(memory, 'Load and save');
    editAs(memory, 'session-1', 'turn-1', 'src/a.js', base + block);
    commitAll(memory, 'Retry');
    put(memory, 'src/a.js', base);
    put(memory, 'src/retry.js', block);
    commitAll(memory, 'Move');
    expect(await sessionOf('src/retry.js:2')).toBe('session-1');
    put(memory, 'src/a.js', base + block);
    commitAll(memory, 'Back');
    editAs(memory, 'session-2', 'turn-2', 'src/b.js', base + block);
    commitAll(memory, 'Retry there');
    put(memory, 'src/a.js', base);
    put(memory, 'src/b.js', base);
    put(memory, 'src/both.js', block);
    commitAll(memory, 'One helper');
    expect(await only('src/both.js:2')).toMatchObject({ isUnsure: true });
    expect(await sessionOf('src/both.js:2')).toBeUndefined();
  });

  it('answers the same for a line alone, also a blank one, as in the whole file', async () => {
    workOnRetries();
    commitAll(memory, 'Retry');
    put(memory, 'src/load.js', `${retrying}\n\nexport const drive = open('drive');\n`);
    const { origins, to } = await ask('src/load.js');
    for (let line = 1; line <= to; line++) {
      const has = ({ lines }: { lines: [number, number][] }) =>
        lines.some(([from, end]) => from <= line && line <= end);
      const { commit, session } = await only(`src/load.js:${line}`);
      expect(origins.find(has)?.session?.turn).toBe(session?.turn);
      expect(origins.find(has)?.commit?.hash).toBe(commit?.hash);
    }
  });

  it('names the last of two sessions that wrote the same line', async () => {
    put(memory, 'a.js', 'one();\n');
    commitAll(memory, 'one');
    editAs(memory, 'tried', 'turn-1', 'a.js', 'one();\nconnectToTheStore();\n');
    git(memory.work, 'checkout', '-q', '.');
    editAs(memory, 'tried-again', 'turn-2', 'a.js', 'one();\nconnectToTheStore();\n');
    commitAll(memory, 'two');
    expect(await sessionOf('a.js:2')).toBe('tried-again');
  });

  it('[why-plain] says if no reason is recorded, and answers without any memory', async () => {
    put(memory, 'a.js', 'one();\n');
    const commit = commitAll(memory, 'Why not');
    const answer = await ask('a.js:1');
    expect(answer.origins).toMatchObject([{ commit: { hash: commit } }]);
    const text = renderWhyForAgent(answer, memory.clock.now());
    expect(text).toContain('no agent session is known to have written this');
    expect(text).toContain('none recorded');
    expect(text).toContain('Why not');
    expect(memory.events()).toEqual([]);
  });

  it('[why-tokens] costs a model at most 1,200 tokens', async () => {
    const lines: string[] = [];
    for (let turn = 0; turn < 12; turn++) {
      memory.prompt(`We decided ${'very long words about it '.repeat(60)} because of reason ${turn}.`, {
        prompt_id: `t${turn}`,
      });
      for (let line = 0; line < 4; line++) lines.push(`const value${turn}x${line} = compute(${line});`);
      editAs(memory, 'session-1', `t${turn}`, 'wide.js', `${lines.join('\n')}\n`);
      memory.answer(`Done. ${'I considered another way but it was too slow here. '.repeat(20)}`, {
        prompt_id: `t${turn}`,
      });
      commitAll(memory, `turn ${turn}`);
    }
    const answer = await ask('wide.js');
    expect(answer.origins).toHaveLength(12);
    expect(estimateTokens(renderWhyForAgent(answer, memory.clock.now()))).toBeLessThanOrEqual(1_200);
  });

  it('[why-failed] lists edits of the file that were reverted', async () => {
    workOnRetries();
    commitAll(memory, 'Wait for slow drives');
    memory.prompt('Try to watch the file instead.', { prompt_id: 'turn-2' });
    editAs(
      memory,
      'session-1',
      'turn-2',
      'src/load.js',
      retrying.replace('    sleep(200);', '    watchForChanges(file);'),
    );
    editAs(memory, 'session-1', 'turn-2', 'src/load.js', retrying);
    const { failedPaths } = await ask('src/load.js:3');
    expect(failedPaths).toMatchObject([{ lines: 1, prompt: { text: 'Try to watch the file instead.' } }]);
  });

  it('stays inside the checkout and names what it cannot find', async () => {
    put(memory, 'a.js', 'one();\n');
    symlinkSync('/etc/passwd', join(memory.work, 'out'));
    await expect(ask('out:1')).rejects.toThrow('is not a file of this checkout');
    await expect(ask('../work.txt:1')).rejects.toThrow('is not a file of this checkout');
    await expect(ask(`${'a'.repeat(4_000)}:1`)).rejects.toThrow('is not a file of this checkout');
    await expect(ask('a.js:9')).rejects.toThrow('a.js has 1 lines');
    await expect(ask('none.js')).rejects.toThrow();
    rmSync(join(memory.work, '.git'), { recursive: true });
    expect((await only('a.js:1')).commit).toBeUndefined();
  });
});
