import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readJson, writeJson } from '../../base/files.ts';
import type { ObservedCommand } from '../../recall/observed-commands.ts';
import { commandLines, observedChunks, readObserved, writeObserved } from './command-lines.ts';

const at = Date.parse('2026-11-14T12:00:00Z');
const check = (command: string, more: Partial<ObservedCommand> = {}): ObservedCommand => ({
  ...{ command, folder: '', passed: 3, failed: 1, unseen: 0, sessions: 2 },
  last: { at, agentSession: 's', event: `event of ${command}`, isFailed: false },
  ...more,
});
const failing = (more: Partial<ObservedCommand> = {}) => check('npm test', { passed: 0, failed: 2, ...more });
const textOf = (command: ObservedCommand): string | undefined => commandLines([command])[0]?.text;

const asked = 'prompt';

it('says that a person asked for it, how often it passed and failed, where, and when last', () => {
  expect(textOf(check('tool rollout', { asked }))).toBe(
    'you asked for it; passed 3 times, failed once, last 2026-11-14: `tool rollout`',
  );
  expect(textOf(check('make e2e', { failed: 0, folder: 'web' }))).toBe(
    'passed 3 times, last 2026-11-14: `make e2e` in web',
  );
  const last = { at, agentSession: 's', event: 'e', isFailed: true };
  expect(textOf(check('tool rollout', { asked, passed: 1, failed: 2, last }))).toBe(
    'you asked for it; passed once, failed 2 times, failed last, 2026-11-14: `tool rollout`',
  );
});

it('says what passed instead of a command that never passed', () => {
  expect(textOf(failing({ instead: 'pnpm test' }))).toBe(
    'failed 2 times, never seen to pass, last 2026-11-14: `npm test`; what passed instead: `pnpm test`',
  );
});

it('says nothing of a command whose result was never seen', () => {
  expect(textOf(check('make e2e', { passed: 0, failed: 0, unseen: 4 }))).toBeUndefined();
});

it('tells at most four commands, with their last run as the source', () => {
  const many = Array.from({ length: 12 }, (_, at) => check(`make t${at}`));
  const told = commandLines([check('go build ./...'), ...many]);
  expect(told.map(({ event }) => event)).toEqual([0, 1, 2, 3].map((at) => `event of make t${at}`));
});

it('stores every check with a known result for recall, which searches it as an observation of Backstory', () => {
  const folder = mkdtempSync(join(tmpdir(), 'backstory-observed-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const own = { observed: join(folder, 'observed.json') };
  expect(readObserved(own)).toEqual([]);
  const many = Array.from({ length: 41 }, (_, at) => check(`make lint:${at}`, { passed: 1 }));
  writeObserved(own, [
    check('ls'),
    check('make test', { passed: 0, failed: 0, unseen: 4 }),
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
    isWorthKnowing: true,
    instead: 'pnpm test',
  });
  expect(second).toMatchObject({ run: 'make lint:0', hasPassed: true, isWorthKnowing: false });
  expect(second).not.toHaveProperty('instead');
  expect(observedChunks(own, 'p')[0]).toMatchObject({
    ...{ id: 'event of npm test', project: 'p', origin: 'system', trust: 1, at, pinned: false },
    text: `Command run here: ${first?.text}`,
  });
  writeJson(own.observed, { ...readJson<object>(own.observed), v: 2 });
  expect(readObserved(own)).toEqual([]);
});
