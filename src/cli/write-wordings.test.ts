import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import { AppError } from '../base/errors.ts';
import { writeJson } from '../base/files.ts';
import { activationOf } from '../memory/projects/activation.ts';
import { resolvePlace } from '../memory/projects/projects.ts';
import { createGovernor } from '../spend/governor.ts';
import { openLedger } from '../spend/ledger.ts';
import { tryWriterLock } from '../store/sqlite/writer-lock.ts';
import type { Caps } from '../wire/answers/project.ts';
import type { App } from './command.ts';
import { recallCommand } from './recall.ts';

let home: MemoryHome;
let sent: string[];
let printed: string[];
beforeEach(async () => {
  home = createMemoryHome();
  sent = [];
  printed = [];
  home.prompt('The flamingo job wakes at four, after the backups.');
  home.answer('Understood.');
  await home.drain();
});
afterEach(() => home.remove());

const question = 'when does the nightly task run';
const caps = { dailyTokens: 1e6, monthlyTokens: 1e6, dailyUsd: 9, monthlyUsd: 9 };
const ledger = () => openLedger(home.paths.ledger, home.clock);

/** The answer of `recall` with a model behind the real governor; undefined: no model is chosen. */
async function recall(
  answer: string | undefined,
  { text = question, values = { expand: true } as object, limits = caps as Caps } = {},
) {
  const same = (plain: string): string => plain;
  const place = () => resolvePlace(home.paths, home.work, home.clock).place;
  const write = createGovernor({
    writer: {
      provider: 'openai',
      model: 'm',
      write: async ({ instructions, data }) => {
        sent.push(`${instructions}\n${data}`);
        return { text: answer ?? '', claimed: {} };
      },
    },
    ledger: ledger(),
    tryLock: () => tryWriterLock(home.paths.modelCallLock),
    caps: limits,
    price: { input: 1, output: 5 },
    callMs: 1_000,
    clock: home.clock,
  });
  const app = {
    ...home,
    place,
    open: () => ({ ...home.open(), ...(answer === undefined ? {} : { write }) }),
    ensureActive() {
      const at = { ...place(), cwd: home.work, userHome: home.home };
      if (!activationOf(home.paths, at, home.clock).on)
        throw new AppError('NOT_INSTALLED', 'off', { hint: '' });
    },
    style: { bold: same, dim: (plain: string) => `dim(${plain})`, good: same, bad: same, mark: same },
    columns: 100,
    agentAround: () => ({ pids: [], sessions: [] }),
    progress: () => ({ update() {}, end() {} }),
    printError: (line: string) => printed.push(line),
    checkedCode: () => ({ root: home.work, key: '', symbols: async () => undefined }),
  } as unknown as App;
  return (await recallCommand.run(app, { positionals: [text], values: { ...values } })).text;
}

describe('[recall-expand] recall --expand', () => {
  it('asks the chosen model for wordings once, and says which it used', async () => {
    expect(await recall('["flamingo job", "cron"]')).toContain('The flamingo job wakes at four');
    expect(printed).toEqual(['dim(Also asked: flamingo job · cron)']);
    expect(sent).toHaveLength(1);
  });

  it('sends the question and the name of the project, redacted, and nothing else', async () => {
    const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    await recall('["x"]', { text: `who uses ${token}` });
    const [, data] = sent[0]?.split('["...", "..."]\n') ?? [];
    expect(data).toMatch(/^Project: work\nQuestion: who uses \S+$/);
    expect(data).not.toContain(token);
  });

  it('records the call and its cost, and makes none above a cap', async () => {
    await recall('["flamingo job"]');
    expect(ledger().read().attempts).toMatchObject([
      { purpose: { kind: 'wordings', project: home.open().project }, end: { outcome: 'written' } },
    ]);
    const answer = await recall('["flamingo job"]', { limits: { ...caps, dailyTokens: 500 } });
    expect([sent.length, ledger().read().attempts.length]).toEqual([1, 1]);
    expect(printed[1]).toMatch(/^No other wordings: .* See: backstory models$/);
    expect(answer).toContain('No results');
  });

  it('names the next step if no model is chosen, and needs a question', async () => {
    await expect(recall(undefined)).rejects.toMatchObject({
      hint: expect.stringContaining('backstory models'),
    });
    const filtered = { text: '', values: { expand: true, kind: 'prompt' } };
    await expect(recall('["x"]', filtered)).rejects.toMatchObject({ code: 'INVALID_QUERY' });
    expect(sent).toEqual([]);
  });

  it('calls no model by default, or while capture is off', async () => {
    await recall('["flamingo job"]', { values: {} });
    writeJson(home.paths.config, { capture: 'off' });
    await expect(recall('["flamingo job"]')).rejects.toMatchObject({ code: 'NOT_INSTALLED' });
    expect(sent).toEqual([]);
  });

  it('uses at most eight wordings, without control characters, and none of a malformed answer', async () => {
    const many = Array.from({ length: 20 }, (_, at) => `\u001b[31mred ${at}\n`);
    const answered = `Here: ${JSON.stringify([...many, 5, ''])}`;
    await recall(answered);
    await recall(answered, { values: { expand: true, or: ['a', 'b', 'c', 'd', 'e', 'f'] } });
    expect(printed.splice(0)).toEqual([
      'dim(Also asked: red 0 · red 1 · red 2 · red 3 · red 4)',
      'dim(Also asked: red 0 · red 1)',
    ]);
    for (const answer of ['', 'no', '[', '{"a":1}', '[1, 2]']) await recall(answer);
    expect(printed.every((line) => line.startsWith('No other wordings: the answer of'))).toBe(true);
  });
});
