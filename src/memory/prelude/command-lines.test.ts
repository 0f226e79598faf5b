import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readJson, writeJson } from '../../base/files.ts';
import type { ObservedCommand } from '../../recall/observed-commands.ts';
import { estimateTokens } from '../../text/tokens.ts';
import { commandLines, observedChunks, readObserved, writeObserved } from './command-lines.ts';

const at = Date.parse('2026-11-14T12:00:00Z');
const check = (command: string, more: Partial<ObservedCommand> = {}): ObservedCommand => ({
  ...{ command, folder: '', passed: 3, failed: 1, unseen: 0, sessions: 2 },
  ...{ afterEdit: 4, programAfterEdit: 1 },
  last: { at, agentSession: 's', event: `event of ${command}`, isFailed: false },
  ...more,
});
const failing = (more: Partial<ObservedCommand> = {}) =>
  check('npm test', { passed: 0, failed: 2, afterEdit: 2, ...more });
const textOf = (command: ObservedCommand): string | undefined => commandLines([command])[0]?.text;

it('says how often a check passed and failed, where, and when last', () => {
  expect(textOf(check('npm test'))).toBe('passed 3 times, failed once, last 2026-11-14: `npm test`');
  expect(textOf(check('npm test', { failed: 0, afterEdit: 3, folder: 'web' }))).toBe(
    'passed 3 times, last 2026-11-14: `npm test` in web',
  );
  const last = { at, agentSession: 's', event: 'e', isFailed: true };
  expect(textOf(check('npm test', { passed: 1, failed: 2, afterEdit: 3, last }))).toBe(
    'passed once, failed 2 times, failed last, 2026-11-14: `npm test`',
  );
  expect(textOf(check('npm test', { passed: 2, failed: 2 }))).toBe(
    'passed 2 times, failed 2 times, last 2026-11-14: `npm test`',
  );
});

it('says what passed instead of a check that never passed, and that a result was not seen', () => {
  expect(textOf(failing())).toBe('failed 2 times, never seen to pass, last 2026-11-14: `npm test`');
  expect(textOf(failing({ instead: 'pnpm test' }))).toBe(
    'failed 2 times, never seen to pass, last 2026-11-14: `npm test`; what passed instead: `pnpm test`',
  );
  expect(textOf(check('npm test', { passed: 0, failed: 0, unseen: 4 }))).toBe(
    'run 4 times, last 2026-11-14, result not seen: `npm test`',
  );
});

it('tells at most eight checks, in 150 tokens, with their last run as the source', () => {
  const many = Array.from({ length: 12 }, (_, at) => check(`make t${at}`));
  expect(commandLines([check('make', { sessions: 1 }), ...many])[0]?.event).toBe('event of make t0');
  const told = commandLines(many);
  expect(told.length).toBeGreaterThan(3);
  expect(told.length).toBeLessThanOrEqual(8);
  const long = commandLines(many.map((one) => ({ ...one, folder: 'packages/some/folder/far/below' })));
  expect(long.length).toBeGreaterThan(1);
  for (const lines of [told, long])
    expect(estimateTokens(lines.map(({ text }) => `- ${text}\n`).join(''))).toBeLessThanOrEqual(150);
  expect(long.length).toBeLessThan(told.length);
  const short = Array.from({ length: 12 }, (_, at) => check(`t${at}`, { failed: 0, afterEdit: 3 }));
  expect(commandLines(short)).toHaveLength(commandLines(short.slice(0, 8)).length);
});

it('stores every check for recall, which searches it as an observation of Backstory', () => {
  const folder = mkdtempSync(join(tmpdir(), 'backstory-observed-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const own = { observed: join(folder, 'observed.json') };
  expect(readObserved(own)).toEqual([]);
  const many = Array.from({ length: 41 }, (_, at) => check(`make t${at}`, { passed: 1, afterEdit: 2 }));
  writeObserved(own, [
    check('ls', { sessions: 1 }),
    failing({ folder: 'web', instead: 'pnpm test' }),
    ...many,
  ]);
  const [first, second] = readObserved(own);
  expect(readObserved(own)).toHaveLength(40);
  expect(first).toEqual({
    text: textOf(failing({ folder: 'web', instead: 'pnpm test' })),
    event: 'event of npm test',
    at,
    run: 'cd web && npm test',
    hasPassed: false,
    instead: 'pnpm test',
  });
  expect(second).toMatchObject({ run: 'make t0', hasPassed: true });
  expect(second).not.toHaveProperty('instead');
  expect(observedChunks(own, 'p')[0]).toMatchObject({
    ...{ id: 'event of npm test', project: 'p', origin: 'system', trust: 1, at, pinned: false },
    text: `Command run here: ${first?.text}`,
  });
  writeJson(own.observed, { ...readJson<object>(own.observed), v: 2 });
  expect(readObserved(own)).toEqual([]);
});
