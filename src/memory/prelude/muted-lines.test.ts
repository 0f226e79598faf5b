import { expect, it } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import type { EventEnvelope } from '../../domain/event.ts';
import type { LogIndex } from '../../store/store.ts';
import { backgroundContext } from '../capture/own-events.ts';
import type { NoteParts } from '../notes/remember.ts';
import { rulesOnly } from '../redact/redact.ts';
import { muteLine, withoutMuted } from './muted-lines.ts';
import type { PreludeLine } from './prelude-file.ts';

/** A log and an index that has each of its events at once. */
function store() {
  const events: EventEnvelope[] = [];
  let lookups = 0;
  const index = {
    events: async (ids: string[]) => {
      lookups++;
      return new Map(ids.filter((id) => events.some((event) => event.id === id)).map((id) => [id, {}]));
    },
  } as unknown as LogIndex;
  const parts = {
    log: { append: (more: EventEnvelope[]) => events.push(...more) },
    clock: systemClock,
    userHome: '/home/ann',
    redactor: rulesOnly,
    context: backgroundContext({ device: { id: 'd', key: 'k' }, actor: 'ann', project: 'p' }),
  } as unknown as NoteParts;
  const line = (name: string): PreludeLine => ({
    section: 'Failed before',
    text: name,
    reason: 'x',
    line: name,
  });
  const shown = async (...lines: PreludeLine[]) => {
    const { told, muted } = await withoutMuted(index, lines);
    return [told, muted].map((some) => some.map(({ text }) => text));
  };
  return { events, index, parts, line, shown, lookups: () => lookups };
}

it('[muted-lines] mutes a line and tells it again, as often as the user wants', async () => {
  const { events, index, parts, line, shown } = store();
  const both = [line('a'), line('b')];
  expect(await shown(...both)).toEqual([['a', 'b'], []]);
  for (let times = 1; times <= 3; times++) {
    expect(await muteLine(parts, index, 'a', true)).toBe(true);
    expect(await shown(...both)).toEqual([['b'], ['a']]);
    expect(await muteLine(parts, index, 'a', false)).toBe(true);
    expect(await shown(...both)).toEqual([['a', 'b'], []]);
  }
  expect(events.map(({ body }) => (body as { action: string }).action)).toEqual(
    Array(3).fill(['mute', 'unmute']).flat(),
  );
});

it('[muted-lines] records nothing if the line is muted, or told, already', async () => {
  const { events, index, parts } = store();
  expect(await muteLine(parts, index, 'a', false)).toBe(false);
  await muteLine(parts, index, 'a', true);
  expect(await muteLine(parts, index, 'a', true)).toBe(false);
  expect(events).toHaveLength(1);
});

it('[muted-lines] records a decision of the user about the line, each with its own id and number', async () => {
  const { events, index, parts } = store();
  await muteLine(parts, index, 'a', true);
  await muteLine(parts, index, 'a', false);
  await muteLine(parts, index, 'b', true);
  expect(events).toMatchObject([
    { kind: 'note', origin: 'user', trust: 3, body: { note: 'line a', action: 'mute', rev: 1 } },
    { kind: 'note', origin: 'user', trust: 3, body: { note: 'line a', action: 'unmute', rev: 2 } },
    { kind: 'note', origin: 'user', trust: 3, body: { note: 'line b', action: 'mute', rev: 1 } },
  ]);
  expect(new Set(events.map(({ id }) => id)).size).toBe(3);
});

it('tells lines that cannot be muted, and looks a line up only as often as it was decided on', async () => {
  const { index, parts, line, shown, lookups } = store();
  const { line: _, ...unnamed } = line('a note');
  expect(await shown(unnamed)).toEqual([['a note'], []]);
  expect(lookups()).toBe(0);
  await shown(line('a'), line('a'), line('b'));
  expect(lookups()).toBe(1);
  await muteLine(parts, index, 'a', true);
  const before = lookups();
  await shown(line('a'), line('b'));
  expect(lookups() - before).toBe(2);
});

it('takes a line for told if there is no index', async () => {
  const { events, parts } = store();
  expect(await muteLine(parts, undefined, 'a', false)).toBe(false);
  expect(await muteLine(parts, undefined, 'a', true)).toBe(true);
  expect(events).toHaveLength(1);
});

it('counts at most 64 decisions about a line', async () => {
  const { events, index, parts } = store();
  for (let at = 0; at < 70; at++) await muteLine(parts, index, 'a', at % 2 === 0);
  expect(new Set(events.map(({ id }) => id)).size).toBe(65);
});
