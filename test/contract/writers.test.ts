import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type WriterProvider, writerProviders } from '../../src/domain/writer-choice.ts';
import { connectClaude } from '../../src/models/claude-write.ts';
import { connectOpenAiWriter } from '../../src/models/http-write.ts';
import type { WriteFailure, Writer, Written } from '../../src/models/write.ts';
import { scriptedKey, scriptedRunner, scriptedWriter } from '../support/scripted-writers.ts';
import { hangMs, until } from '../support/until.ts';
import { startWritingServer, type WritingServer } from '../support/writing-server.ts';

/** The contract of a model provider, whatever its server answers. */
let server: WritingServer;
const folder = mkdtempSync(join(tmpdir(), 'backstory-writers-'));
beforeAll(async () => {
  server = await startWritingServer(() => ({ kind: 'answer', text: 'fine' }));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const connect = (name: WriterProvider): Writer => scriptedWriter(name, server.url, folder);
const programs: WriterProvider[] = ['claude', 'codex', 'cursor', 'gemini'];

const request = {
  instructions: 'Do as I say.',
  data: 'The record: "quoted"\n--- and more ✓',
  maxTokens: 500,
};
const ask = (writer: Writer, signal = AbortSignal.timeout(hangMs)): Promise<Written> =>
  writer.write(request, signal);
const failureOf = (writer: Writer, signal?: AbortSignal): Promise<WriteFailure> =>
  ask(writer, signal).then(
    () => Promise.reject(new Error('it did not fail')),
    (error) => error as WriteFailure,
  );

describe.each(writerProviders)('a writer: %s', (name) => {
  const isProgram = programs.includes(name);

  it('sends instructions and data separately, and returns the text and the claimed usage', async () => {
    server.script = () => ({
      kind: 'answer',
      text: 'an "answer"\nof two lines',
      claims: { input: 70, output: 9 },
    });
    const written = await ask(connect(name));
    expect(written.text).toBe('an "answer"\nof two lines');
    if (name !== 'cursor') expect(written.claimed).toMatchObject({ inputTokens: 70, outputTokens: 9 });
    const sent = server.requests.at(-1);
    expect(sent?.dialect).toBe(name);
    expect(sent?.instructions).toContain(request.instructions);
    expect(sent?.data.trim()).toBe(request.data);
    if (!isProgram) expect(sent?.maxTokens).toBe(500);
  });

  it('is stopped if its response does not end', async () => {
    server.script = () => ({ kind: 'flood' });
    const failure = await failureOf(connect(name));
    expect(failure.kind).toBe('too-long');
    expect(failure.isFree).toBe(false);
    await server.requests.at(-1)?.closed;
    expect(server.inFlight).toBe(0);
  });

  it('is stopped if it does not answer in time, and leaves no process running', async () => {
    server.script = () => ({ kind: 'hang' });
    const count = server.requests.length;
    const isOver = new AbortController();
    const failing = failureOf(connect(name), isOver.signal);
    await until(() => server.requests.length > count);
    isOver.abort(new DOMException('it took too long', 'TimeoutError'));
    const failure = await failing;
    expect(failure.kind).toBe('timed-out');
    await server.requests.at(-1)?.closed;
    expect(server.inFlight).toBe(0);
  });

  it('reports a rate limit and how long to wait', async () => {
    server.script = () => ({ kind: 'refuse', status: 429, retryAfter: '17' });
    const failure = await failureOf(connect(name));
    expect(failure.kind).toBe('rate-limited');
    expect(failure.isFree).toBe(true);
    if (!isProgram) expect(failure.retryAfterMs).toBe(17_000);
  });

  it('fails without repeating the request or the key', async () => {
    for (const behaviour of [{ kind: 'refuse', status: 500 }, { kind: 'garbage' }] as const) {
      server.script = () => behaviour;
      const failure = await failureOf(connect(name));
      expect(failure.kind).toBe('failed');
      expect(failure.isFree).toBe(false);
      expect(failure.message).not.toMatch(/quoted|sk-secret/);
    }
  });
});

it.each(programs)(
  '[models-no-recursion] runs the program of %s without Backstory hooks and without tools',
  async (name) => {
    server.script = () => ({ kind: 'answer', text: 'fine' });
    await ask(connect(name));
    const sent = server.requests.at(-1);
    expect(sent?.guard).toBe('1');
    const quiet = {
      claude: '--no-session-persistence',
      codex: '--ephemeral',
      cursor: 'ask',
      gemini: 'none',
    };
    expect(sent?.args).toContain(quiet[name as 'claude']);
  },
);

it('a rejected key and an unreachable endpoint cost nothing', async () => {
  server.script = () => ({ kind: 'refuse', status: 401 });
  expect((await failureOf(connect('anthropic'))).isFree).toBe(true);
  const gone = await startWritingServer(() => ({ kind: 'hang' }));
  await gone.close();
  const nobody = connectOpenAiWriter({ url: `${gone.url}/v1`, model: 'sample' });
  expect((await failureOf(nobody)).isFree).toBe(true);
  const nothing = connectClaude(scriptedRunner(folder), { program: join(folder, 'missing'), model: '' });
  expect((await failureOf(nothing)).isFree).toBe(true);
});

describe('a program that fails after it has printed an answer', () => {
  const printing = (answer: object, warning = ''): Writer => {
    const program = join(folder, 'printing');
    const printed = JSON.stringify(JSON.stringify(answer));
    const source = `process.stdout.write(${printed});process.stderr.write(${JSON.stringify(warning)});process.exitCode = 1;`;
    writeFileSync(program, `#!${process.execPath}\n${source}\n`, { mode: 0o755 });
    return connectClaude(scriptedRunner(folder), { program, model: '' });
  };
  const used = { total_cost_usd: 0.9, usage: { input_tokens: 159_000, output_tokens: 40 } };

  it('[models-paid-failure] is charged, whatever its answer says about quotas and limits', async () => {
    const answer = { is_error: false, result: 'The importer has a rate limit and a quota.', ...used };
    const failure = await failureOf(printing(answer));
    expect(failure.kind).toBe('failed');
    expect(failure.isFree).toBe(false);
    expect((await failureOf(printing(answer, 'status 429'))).isFree).toBe(false);
    expect((await failureOf(printing({ ...answer, is_error: true }))).isFree).toBe(false);
  });

  it('is not charged if it was rejected and reports no usage', async () => {
    const refusal = { is_error: true, result: 'usage limit reached', total_cost_usd: 0, usage: {} };
    expect(await failureOf(printing(refusal))).toMatchObject({ kind: 'rate-limited', isFree: true });
  });
});

it('a request has the key only in the header that its provider requires', async () => {
  server.script = () => ({ kind: 'answer', text: 'fine' });
  await ask(connect('anthropic'));
  expect(server.requests.at(-1)?.headers['x-api-key']).toBe(scriptedKey);
  await ask(connect('openai'));
  expect(server.requests.at(-1)?.headers.authorization).toBe(`Bearer ${scriptedKey}`);
});
