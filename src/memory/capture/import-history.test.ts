import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { sampleEvent } from '../../../test/support/sample-event.ts';
import type { HistoryPrompt } from '../../agents/claude-code/history.ts';
import { isoTime } from '../../base/clock.ts';
import { homePaths } from '../../base/paths.ts';
import type { EventContent, EventEnvelope } from '../../domain/event.ts';
import { createEventLog } from '../../store/events/event-log.ts';
import type { IngestParts } from './event-writer.ts';
import { addHistory } from './import-history.ts';

const home = mkdtempSync(join(tmpdir(), 'backstory-history-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
beforeEach(() => rmSync(home, { recursive: true, force: true }));
const paths = homePaths(join(home, '.backstory'));
const start = Date.parse('2026-11-14T12:00:00Z');
const clock = { now: () => start };
const log = createEventLog(paths.project('p').events, clock);
const file = join(home, '.claude/history.jsonl');

const prompt = (text: string, at: number, session = 's'): HistoryPrompt => ({
  ...{ at: start + at, cwd: '', session, text, pasted: [] },
  source: { file, offset: 0 },
});
const store = (content: Partial<EventEnvelope> & EventContent, at = 0) =>
  log.append([sampleEvent({ at: isoTime(start + at), agentSession: 's', ...content })]);
const typed = (text: string, at = 0, more: Partial<EventEnvelope> = {}) =>
  store({ ...more, kind: 'prompt', body: { text, turn: 't' } } as never, at);
/** The texts that were added. */
async function added(...prompts: HistoryPrompt[]): Promise<string[]> {
  const texts: string[] = [];
  const parts = {
    ...{
      paths,
      project: 'p',
      device: { id: 'd', key: 'k' },
      actor: 'a',
      exclude: [],
      userHome: home,
      transcriptRoots: [],
    },
    clock,
    log: {
      ...log,
      append: (events: EventEnvelope[]) =>
        texts.push(...events.map(({ body }) => (body as { text: string }).text)),
    },
    index: {
      events: async (ids: string[]) =>
        new Map(
          [...log.read({})].flatMap(({ entry }) =>
            entry.kind === 'event' && ids.includes(entry.event.id) ? [[entry.event.id, { file: '' }]] : [],
          ),
        ),
      isTombstoned: async () => false,
      progress: async () => log.end(),
    },
  } as unknown as IngestParts;
  expect(await addHistory(parts, prompts)).toBe(texts.length);
  return texts;
}

it('[import-history] adds the prompts of sessions of which nothing else is left', async () => {
  expect(await added(prompt('one', 0), prompt('two', 1, ''))).toEqual(['one', 'two']);
  expect(await added()).toEqual([]);
});

it('[import-history] adds none of a session whose transcript was read, but a hook alone has not read it', async () => {
  const source = { file: '~/x.jsonl', offset: 0 };
  store({ kind: 'session', source, body: { phase: 'start', cause: 'startup' } } as never, -3_600_000);
  expect(await added(prompt('one', 0))).toEqual(['one']);
  store({ kind: 'answer', source, trust: 1, body: { text: 'x' } } as never, -3_600_000);
  expect(await added(prompt('one', 0), prompt('two', 0, 'other'))).toEqual(['two']);
});

it('[import-history] does not take its own earlier entries, or those of another agent, for a transcript', async () => {
  store({ kind: 'answer', source: { file, offset: 0 }, trust: 1, body: { text: 'x' } } as never);
  const codex = { agent: 'codex', source: { file: '~/x.jsonl', offset: 0 } } as const;
  store({ ...codex, kind: 'answer', trust: 1, body: { text: 'x' } } as never);
  expect(await added(prompt('one', 0))).toEqual(['one']);
});

it('[import-history] adds none that a hook reported within five seconds', async () => {
  typed('as the hook had it');
  expect(await added(prompt('one', 5_000))).toEqual([]);
  expect(await added(prompt('one', -5_000))).toEqual([]);
  expect(await added(prompt('one', 5_001))).toEqual(['one']);
  expect(await added(prompt('one', 0, 'other'))).toEqual(['one']);
  expect(await added(prompt('one', 0, '')), 'of an unknown session').toEqual([]);
});

it('[import-history] adds none with the words of another, which may have been queued', async () => {
  typed('The same words.');
  expect(await added(prompt('The same words.', 3_600_000))).toEqual([]);
  expect(await added(prompt('The same words.', 3_600_000, 'other'))).toEqual(['The same words.']);
  expect(await added(prompt('The same words.', 600_000, ''))).toEqual([]);
  expect(await added(prompt('The same words.', 600_001, ''))).toEqual(['The same words.']);
  expect(await added(prompt('Other words.', 600_000, ''))).toEqual(['Other words.']);
});

it('[import-history] compares with every prompt of a session', async () => {
  typed('first', -3_600_000);
  typed('second', -1_800_000);
  typed('third', -1_800_000, { agentSession: 'other' });
  expect(await added(prompt('first', 0), prompt('second', 0), prompt('third', 0))).toEqual(['third']);
});
