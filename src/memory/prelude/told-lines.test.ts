import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { aNote } from '../../../test/contract/samples.ts';
import { createMemoryHome } from '../../../test/support/memory-home.ts';
import { promptEvent, sampleEvent } from '../../../test/support/sample-event.ts';
import { isoTime } from '../../base/clock.ts';
import { readJson, writeJson } from '../../base/files.ts';
import type { EventContent, EventEnvelope } from '../../domain/event.ts';
import type { PreludeLine } from './prelude-file.ts';
import { recordTold, toldAtStarts, toldSessions } from './told-lines.ts';

const line = (more: Partial<PreludeLine>): PreludeLine => ({
  section: 'Decided',
  text: 'x',
  reason: 'x',
  ...more,
});

describe('what the prelude told', () => {
  const folder = mkdtempSync(join(tmpdir(), 'backstory-told-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const own = { toldLines: join(folder, 'told.json') };
  beforeEach(() => rmSync(own.toldLines, { force: true }));
  const stored = () => readJson<{ renderings: { at: number; ids: string[] }[] }>(own.toldLines)?.renderings;

  it('is stored as ids of notes and events, only if it changed', () => {
    const lines = [line({ note: 'n', event: 'e' }), line({ event: 'e2' }), line({})];
    recordTold(own, 1, lines);
    recordTold(own, 2, lines);
    expect(stored()).toEqual([{ at: 1, ids: ['n', 'e2'] }]);
    recordTold(own, 3, lines.slice(1));
    recordTold(own, 4, lines);
    expect(stored()?.map(({ at }) => at)).toEqual([1, 3, 4]);
    recordTold(own, 5, []);
    expect(stored()?.at(-1)).toEqual({ at: 5, ids: [] });
  });

  it('is kept for the last 500 changes', () => {
    writeJson(own.toldLines, {
      v: 2,
      renderings: Array.from({ length: 500 }, (_, at) => ({ at, ids: [`${at}`] })),
    });
    recordTold(own, 900, [line({ note: 'n' })]);
    expect([stored()?.length, stored()?.[0]?.at, stored()?.at(-1)?.at]).toEqual([500, 1, 900]);
  });

  it('is not read from a file of another version', () => {
    writeJson(own.toldLines, { v: 1, renderings: [{ at: 1, ids: ['n'] }] });
    recordTold(own, 2, [line({ note: 'n' })]);
    expect(stored()).toEqual([{ at: 2, ids: ['n'] }]);
  });
});

it('is known of each start of a session that had a prelude, newest first, without what was forgotten since', async () => {
  const memory = createMemoryHome();
  onTestFinished(() => memory.remove());
  const parts = memory.open();
  const { toldLines } = memory.paths.project(parts.project);
  const [note, forgotten] = [aNote({ title: 'One queue' }), aNote()];
  await parts.notes.put(note);
  const said = promptEvent(`Keep${'x'.repeat(400)}`, {
    project: parts.project,
    agentSession: 'before',
  });
  const minute = Date.parse('2026-11-14T12:00:00Z');
  const session = (agentSession: string, at: number, body: object): EventEnvelope =>
    sampleEvent({
      ...{ kind: 'session', project: parts.project, agentSession, at: isoTime(minute + at * 60_000) },
      body,
    } as Partial<EventEnvelope> & EventContent);
  parts.log.append([
    said,
    session('early', 1, { phase: 'start', cause: 'startup', preludeTokens: 9 }),
    session('a', 2, { phase: 'start', cause: 'startup', preludeTokens: 10 }),
    session('a', 3, { phase: 'end', cause: 'other', preludeTokens: 10 }),
    session('b', 4, { phase: 'start', cause: 'startup' }),
    session('a', 6, { phase: 'start', cause: 'resume', preludeTokens: 20 }),
  ]);
  expect(await toldSessions(parts), 'before anything was told').toEqual([]);
  await memory.drain();
  recordTold({ toldLines }, minute + 2 * 60_000, [line({ note: note.id })]);
  recordTold({ toldLines }, minute + 5 * 60_000, [
    line({ note: note.id }),
    line({ event: said.id }),
    line({ note: forgotten.id }),
  ]);
  expect(await toldSessions(parts)).toEqual([
    { agentSession: 'a', at: minute + 6 * 60_000, tokens: 20, ids: [note.id, said.id, forgotten.id] },
    { agentSession: 'a', at: minute + 2 * 60_000, tokens: 10, ids: [note.id] },
    expect.objectContaining({ agentSession: 'early' }),
  ]);
  const [first, second] = await toldAtStarts(parts, 'a');
  expect(first).toMatchObject({
    at: minute + 2 * 60_000,
    tokens: 10,
    lines: [{ id: note.id, text: 'One queue' }],
  });
  expect(second?.lines).toHaveLength(2);
  expect(second?.lines[1]).toMatchObject({ id: said.id, kind: 'prompt', agentSession: 'before' });
  expect(second?.lines[1]?.text).toHaveLength(300);
  expect(await toldAtStarts(parts, 'b')).toEqual([]);
});
