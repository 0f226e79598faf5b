import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { sampleEvent } from '../../../test/support/sample-event.ts';
import type { Observation } from '../../agents/agent.ts';
import { firstStartId } from '../../agents/observe.ts';
import { isoTime } from '../../base/clock.ts';
import { writeJson } from '../../base/files.ts';
import { homePaths } from '../../base/paths.ts';
import type { AgentName, EventContent, EventEnvelope } from '../../domain/event.ts';
import { createEventLog } from '../../store/events/event-log.ts';
import { beginPause } from '../projects/pauses.ts';
import { createEventWriter, type IngestParts, textHash } from './event-writer.ts';

const home = mkdtempSync(join(tmpdir(), 'backstory-writer-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const paths = homePaths(join(home, '.backstory'));
const device = { id: 'd', key: 'k' } as IngestParts['device'];
const start = Date.parse('2026-11-14T12:00:00Z');
let now: number;
const log = createEventLog(paths.project('p').events, { now: () => now });
let tombstones: Set<string>;
let forgotten: Set<string>;
/** How far the index has read the log. */
let indexed: Record<string, number>;
beforeEach(() => {
  rmSync(home, { recursive: true, force: true });
  now = start;
  tombstones = new Set();
  forgotten = new Set();
  indexed = {};
});

const index = {
  events: async (ids: string[]) =>
    new Map<string, object>([
      ...[...log.read({})].flatMap(({ file, offset, entry }) =>
        entry.kind === 'event' && ids.includes(entry.event.id) && offset < (indexed[file] ?? 0)
          ? [[entry.event.id, { file, offset, state: 'live' }] as const]
          : [],
      ),
      ...ids
        .filter((id) => forgotten.has(id))
        .map((id) => [id, { file: '', offset: 0, state: 'forgotten' }] as const),
    ]),
  isTombstoned: async (...hashes: string[]) => hashes.some((hash) => tombstones.has(hash)),
  progress: async () => indexed,
} as unknown as IngestParts['index'];
const partsWith = (more: Partial<IngestParts> = {}): IngestParts =>
  ({
    ...{
      paths,
      project: 'p',
      log,
      index,
      device,
      actor: 'ann',
      exclude: [],
      userHome: home,
      transcriptRoots: [],
    },
    clock: { now: () => now },
    ...more,
  }) as IngestParts;
const store = (content: Partial<EventEnvelope> & EventContent): EventEnvelope => {
  const event = sampleEvent({ at: isoTime(now), project: 'p', ...content });
  log.append([event]);
  return event;
};
const catchUp = (): void => {
  indexed = log.end();
};

const prompt = (id: string, more: object = {}, body: object = {}): Observation =>
  ({
    ...{ kind: 'prompt', id, origin: 'user', trust: 2, at: isoTime(now), agentSession: 's' },
    body: { turn: 't', text: `text of ${id}`, ...body },
    ...more,
  }) as Observation;
const answer = (id: string, text: string, more: object = {}): Observation =>
  ({
    kind: 'answer',
    id,
    origin: 'assistant',
    trust: 1,
    at: isoTime(now),
    body: { turn: 't', text },
    ...more,
  }) as Observation;
/** What is appended of the observations. */
async function written(
  observations: Observation[],
  { agent = 'claude-code', ...more }: Partial<IngestParts> & { agent?: AgentName } = {},
): Promise<EventEnvelope[]> {
  const appended: EventEnvelope[] = [];
  const spied = { ...log, append: (events: EventEnvelope[]) => void appended.push(...events) };
  const writer = createEventWriter(partsWith({ log: spied, ...more }), agent);
  for (const one of observations) await writer.add(one);
  writer.flush();
  return appended;
}

describe('a writer of events', () => {
  it('appends what it was given since it was flushed, and says how many and about how large', async () => {
    const writer = createEventWriter(partsWith(), 'codex');
    expect([writer.bytes(), writer.flush()]).toEqual([0, 0]);
    await writer.add(answer('a', 'x'.repeat(100)));
    await writer.add({ ...answer('b', ''), kind: 'tool', body: { tool: 'x', ok: true } } as Observation);
    expect(writer.bytes()).toBe(700 + 1_000);
    expect([...log.read({})]).toEqual([]);
    expect([writer.flush(), writer.bytes(), writer.flush()]).toEqual([2, 0, 0]);
    expect([...log.read({})].map(({ entry }) => entry)).toMatchObject([
      { event: { id: 'a', agent: 'codex', actor: 'ann', project: 'p', device: 'd', checkout: '' } },
      { event: { id: 'b' } },
    ]);
  });

  it('skips what it was given before, or what the index has', async () => {
    store({ kind: 'answer', id: 'known', trust: 1, body: { text: 'x' } });
    catchUp();
    const seen = new Set(['seen']);
    const writer = createEventWriter(partsWith(), 'codex', seen);
    for (const id of ['known', 'seen', 'new', 'new']) await writer.add(answer(id, 'x'));
    expect(writer.flush()).toBe(1);
    expect(seen).toEqual(new Set(['seen', 'new']));
  });

  it('skips what happened while the user had paused capture', async () => {
    beginPause(paths, start - 1_000, start + 1_000);
    beginPause(paths, start + 9_000, null, 'p');
    const times = [start - 1_001, start, start + 1_001, start + 9_000];
    const appended = await written(times.map((at) => answer(`${at}`, 'x', { at: isoTime(at) })));
    expect(appended.map(({ id }) => Number(id) - start)).toEqual([-1_001, 1_001]);
  });

  it('skips what the user made Backstory forget, also under another id', async () => {
    tombstones.add(textHash(device, ' forgotten words '));
    forgotten.add('old');
    const appended = await written([
      answer('a', 'forgotten words'),
      answer('b', 'new', { body: { turn: 't', text: 'new', supersedes: ['old'] } }),
      answer('c', 'new', { body: { turn: 't', text: 'new', supersedes: ['other'] } }),
    ]);
    expect(appended.map(({ id }) => id)).toEqual(['c']);
  });

  it('skips files that the user excluded, and removes secrets', async () => {
    const edit = (path: string) =>
      ({ ...answer(path, ''), kind: 'edit', body: { tool: 'Edit', path, hunks: [] } }) as Observation;
    const token = `gh${'p_'}${'aB3dE5gH7jK9mN2p'.repeat(3).slice(0, 36)}`;
    const appended = await written([edit('key.pem'), edit('a.ts'), answer('b', token)], {
      exclude: ['*.pem'],
    });
    expect(appended).toMatchObject([
      { body: { path: 'a.ts' } },
      { body: { text: '[redacted:github-token]' } },
    ]);
  });
});

describe('a prompt of a transcript', () => {
  const typist = async (observation: Observation, more?: Parameters<typeof written>[1]) => {
    const [event] = await written([observation], more);
    const { untyped } = (event?.body ?? {}) as { untyped?: string };
    return [event?.origin, event?.trust, untyped];
  };
  const typed = ['user', 2, undefined];
  const notReported = ['unconfirmed', 1, 'no hook reported it'];

  it('[prompt-typed] does not count as typed if no hook reported it', async () => {
    expect(await typist(prompt('a'))).toEqual(notReported);
    expect(await typist(prompt('b', { trust: 1, origin: 'assistant' }))).toEqual(['assistant', 1, undefined]);
  });

  it('[prompt-typed] is what the hook said of it, under its own id or the one that it replaces', async () => {
    const hook = store({ kind: 'prompt', body: { text: 'x', turn: 't' } });
    const untyped = store({
      kind: 'prompt',
      trust: 1,
      body: { text: 'x', turn: 't', untyped: 'headless session' },
    });
    for (const isIndexed of [false, true]) {
      if (isIndexed) catchUp();
      expect(await typist(prompt('a', {}, { supersedes: [hook.id] }))).toEqual(typed);
      expect(await typist(prompt('b', {}, { supersedes: [untyped.id] }))).toEqual([
        'assistant',
        1,
        'headless session',
      ]);
      expect(await typist(prompt('c', {}, { supersedes: ['0'.repeat(32)] }))).toEqual(notReported);
    }
    store({ kind: 'prompt', id: 'own', body: { text: 'x', turn: 't' } });
    expect(await typist(prompt('own'))).toEqual(typed);
  });

  it('[prompt-typed] is not judged by an earlier import that knew no hook either', async () => {
    const imported = store({
      kind: 'prompt',
      trust: 1,
      body: { text: 'x', turn: 't', untyped: 'no hook reported it' },
    });
    const hook = store({ kind: 'prompt', body: { text: 'x', turn: 't' } });
    for (const isIndexed of [false, true]) {
      if (isIndexed) catchUp();
      expect(await typist(prompt('a', {}, { supersedes: [imported.id, hook.id] }))).toEqual(typed);
    }
  });

  it('[prompt-typed] is looked up beside the index for ten minutes', async () => {
    const hook = store({ kind: 'prompt', body: { text: 'x', turn: 't' } });
    const late = (ms: number) => typist(prompt('a', { at: isoTime(now - ms) }, { supersedes: [hook.id] }));
    expect(await late(600_000)).toEqual(typed);
    expect(await late(600_001)).toEqual(notReported);
    catchUp();
    expect(await late(600_001)).toEqual(typed);
  });

  it('[prompt-typed] is an agent’s if it is a plan that the user accepted', async () => {
    const hook = store({ kind: 'prompt', body: { text: 'x', turn: 't' } });
    expect(await typist(prompt('a', {}, { supersedes: [hook.id], isPlan: true }))).toEqual([
      'assistant',
      1,
      undefined,
    ]);
  });

  it('[prompt-typed] from before the installation is the user’s, unless the import says why not', async () => {
    const source = { file: join(home, 'x.jsonl'), offset: 5 };
    const past = () => writeJson(paths.pastTranscripts, { at: start, files: { '~/x.jsonl': 10 } });
    past();
    expect(await typist(prompt('a', { source }))).toEqual(typed);
    expect(await typist(prompt('b', { source: { ...source, offset: 10 } }))).toEqual(notReported);
    expect(await typist(prompt('c', { source }), { untyped: 'imported by an agent' })).toEqual([
      'unconfirmed',
      1,
      'imported by an agent',
    ]);
  });

  it('[prompt-typed] is what the hook said of the start of a run with one prompt, for ten seconds', async () => {
    const begins = (agent: AgentName, body: object) =>
      store({
        kind: 'session',
        id: firstStartId(agent, 's'),
        trust: 1,
        body: { phase: 'start', cause: 'startup', ...body },
      } as never);
    begins('droid', {});
    const promptAfter = (ms: number, agent: AgentName = 'droid') =>
      typist(prompt('a', { at: isoTime(start + ms) }), { agent });
    for (const isIndexed of [false, true]) {
      if (isIndexed) catchUp();
      expect(await promptAfter(10_000)).toEqual(typed);
      expect(await promptAfter(-10_000)).toEqual(typed);
      expect(await promptAfter(10_001)).toEqual(notReported);
      expect(await promptAfter(0, 'codex')).toEqual(notReported);
    }
    rmSync(home, { recursive: true, force: true });
    indexed = {};
    begins('droid', { untyped: 'headless session' });
    expect(await promptAfter(0)).toEqual(['assistant', 1, 'headless session']);
  });
});
