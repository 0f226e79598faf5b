import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { promptEvent, sampleEvent } from '../../../test/support/sample-event.ts';
import type { EventEnvelope } from '../../domain/event.ts';
import { toEvent } from '../../memory/capture/capture.ts';
import { rulesOnly } from '../../memory/redact/redact.ts';
import { encodeEvent, encodeEventIn } from './event-line.ts';
import {
  bytesAfter,
  createEventLog,
  type EventLog,
  eventAt,
  isWithin,
  withOriginalTime,
} from './event-log.ts';
import { forgetEvents, rewriteEventFile } from './rewrite-events.ts';

const top = mkdtempSync(join(tmpdir(), 'backstory-log-'));
afterAll(() => rmSync(top, { recursive: true, force: true }));

const clock = { now: () => Date.parse('2026-11-14T12:00:00Z') };
const fileName = '2026-11.jsonl';
let folder: string;
let file: string;
let log: EventLog;
let count = 0;
beforeEach(() => {
  folder = join(top, String(count++));
  file = join(folder, fileName);
  log = createEventLog(folder, clock);
});

const entries = () => [...log.read({})].map(({ entry }) => entry);
const events = () => entries().flatMap((entry) => (entry.kind === 'event' ? [entry.event] : []));

describe('the event log', () => {
  it('returns every appended event in order, with its position', () => {
    const text = fc.string({ unit: anyCharacter, maxLength: 60 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), (texts) => {
        rmSync(folder, { recursive: true, force: true });
        const given = texts.map((words) => promptEvent(words));
        log.append(given);
        expect(events()).toEqual(given.map((event) => JSON.parse(JSON.stringify(event))));
        for (const { offset, end } of log.read({})) {
          expect([...log.read({ [fileName]: offset })][0]?.end).toBe(end);
        }
        expect(bytesAfter({}, log.end())).toBe(texts.length === 0 ? 0 : statSync(file).size);
      }),
      { numRuns: 60 },
    );
  });

  it('is empty before the first write', () => {
    expect(entries()).toEqual([]);
    expect(log.end()).toEqual({});
  });

  it('knows where its lines start', () => {
    log.append([promptEvent('one'), promptEvent('two')]);
    const [first, second] = [...log.read({})];
    const isStart = (offset: number) => log.areLineStarts({ [fileName]: offset });
    const starts = [0, first?.offset, second?.offset, second?.end] as number[];
    expect(starts.map(isStart)).toEqual([true, true, true, true]);
    expect([2, (second?.offset as number) + 1, (second?.end as number) - 1].map(isStart)).toEqual([
      false,
      false,
      false,
    ]);
    expect(log.areLineStarts({ 'not-written-yet.jsonl': 0 })).toBe(true);
  });

  it('knows how much was added after a position, and whether it is a position of this log', () => {
    expect(bytesAfter({ a: 3, gone: 7 }, { a: 5, b: 4 })).toBe(6);
    expect(bytesAfter({ a: 9 }, { a: 5 })).toBe(0);
    expect([isWithin({ a: 5 }, { a: 5 }), isWithin({}, {}), isWithin({ gone: 0 }, {})]).toEqual([
      true,
      true,
      true,
    ]);
    expect([isWithin({ a: 6 }, { a: 5 }), isWithin({ gone: 1 }, { a: 5 })]).toEqual([false, false]);
  });

  it('returns the event at a position', () => {
    const given = [promptEvent('one'), promptEvent('two')];
    log.append(given);
    for (const [at, { offset }] of [...log.read({})].entries())
      expect(eventAt(log, { file: fileName, offset })?.id).toBe(given[at]?.id);
    expect(eventAt(log, { file: fileName, offset: statSync(file).size })).toBeUndefined();
  });

  it('replaces a time in the future, and keeps the original one', () => {
    const [past, future] = [
      promptEvent('past', { at: '2026-11-01T00:00:00.000Z' }),
      promptEvent('future', { at: '2036-01-01T00:00:00.000Z' }),
    ];
    log.append([past, future]);
    const [first, second] = events() as [EventEnvelope, EventEnvelope];
    expect(first).toEqual(past);
    expect(Date.parse(second.at)).toBeLessThanOrEqual(clock.now());
    expect([first, second].map(withOriginalTime)).toEqual([past, future]);
  });

  it('writes many events in pieces of at most four megabytes', () => {
    log.append(Array.from({ length: 3 }, () => promptEvent('x'.repeat(2_000_000))));
    const lines = readFileSync(file, 'latin1').split('\n').slice(0, -1);
    expect(lines.map((line) => line === '')).toEqual([true, false, false, true, false]);
    expect(events()).toHaveLength(3);
  });

  it('writes a file for each month and reads them in order', () => {
    let now = Date.parse('2026-10-31T23:59:59Z');
    const ticking = createEventLog(folder, { now: () => now });
    const first = promptEvent('october');
    ticking.append([first]);
    now += 5_000;
    const second = promptEvent('november');
    ticking.append([second]);
    expect(Object.keys(ticking.end())).toEqual(['2026-10.jsonl', '2026-11.jsonl']);
    expect(events().map(({ id }) => id)).toEqual([first.id, second.id]);
  });

  it('[torn-tail] loses nothing after a line that was torn at any byte', () => {
    const [kept, torn, next] = ['kept', 'torn', 'next'].map((words) => promptEvent(words)) as [
      EventEnvelope,
      EventEnvelope,
      EventEnvelope,
    ];
    const whole = encodeEvent(torn);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Buffer.byteLength(whole) - 1 }), (cut) => {
        rmSync(folder, { recursive: true, force: true });
        log.append([kept]);
        writeFileSync(file, Buffer.concat([readFileSync(file), Buffer.from(whole).subarray(0, cut)]));
        expect(
          events().map(({ id }) => id),
          'an unfinished line is not served',
        ).toEqual([kept.id]);
        log.append([next]);
        expect(events().map(({ id }) => id)).toEqual(
          cut === Buffer.byteLength(whole) - 1 ? [kept.id, torn.id, next.id] : [kept.id, next.id],
        );
      }),
    );
  });

  it('[damage-is-seen] skips a line with a flipped byte and returns every other one', () => {
    const given = ['one', 'two', 'three'].map((words) => promptEvent(words));
    log.append(given);
    const good = readFileSync(file);
    const [, middle] = [...log.read({})];
    if (middle === undefined) throw new Error('no second line');
    fc.assert(
      fc.property(
        fc.integer({ min: middle.offset, max: middle.end - 2 }),
        fc.integer({ min: 1, max: 255 }),
        (at, flip) => {
          const bytes = Buffer.from(good);
          bytes[at] = (bytes[at] as number) ^ flip;
          writeFileSync(file, bytes);
          const served = events().map(({ id }) => id);
          expect(served).toEqual([given[0]?.id, given[2]?.id]);
          expect(entries().some(({ kind }) => kind === 'damaged')).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('[newer-kept] skips lines of a newer Backstory, and keeps their bytes', () => {
    const newer = { ...promptEvent('from the future'), v: 2, kind: 'hologram' } as unknown as EventEnvelope;
    const own = promptEvent('own');
    log.append([newer]);
    const before = readFileSync(file);
    log.append([own]);
    expect(entries()).toEqual([
      { kind: 'newer', id: newer.id },
      { kind: 'event', event: own },
    ]);
    expect(readFileSync(file).subarray(0, before.length)).toEqual(before);
  });

  it('[forget-in-place] replaces an event by a placeholder of the same length, and moves nothing', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: anyCharacter, maxLength: 200 }), { minLength: 1, maxLength: 6 }),
        fc.nat(),
        (texts, pick) => {
          rmSync(folder, { recursive: true, force: true });
          const given = texts.map((words) => promptEvent(words));
          log.append(given);
          const before = [...log.read({})];
          const target = before[pick % before.length] as (typeof before)[number];
          if (target.entry.kind !== 'event') throw new Error('not an event');
          const { id } = target.entry.event;
          const line = { file: target.file, offset: target.offset, id };
          expect(forgetEvents(folder, [line])).toBe(1);
          const after = [...log.read({})];
          expect(after.map(({ offset, end }) => [offset, end])).toEqual(
            before.map(({ offset, end }) => [offset, end]),
          );
          expect(after.find(({ offset }) => offset === target.offset)?.entry).toEqual({
            kind: 'forgotten',
            id,
          });
          expect(events().map((event) => event.id)).toEqual(
            given.map((event) => event.id).filter((other) => other !== id),
          );
          expect(forgetEvents(folder, [line]), 'a second time there is nothing').toBe(0);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('rewrites an event in place if the length is the same, and refuses any other length', () => {
    const [first, second] = ['a long text to be shortened', 'stays'].map((words) => promptEvent(words)) as [
      EventEnvelope,
      EventEnvelope,
    ];
    log.append([first, second]);
    const { offset, end } = [...log.read({})][0] ?? { offset: 0, end: 0 };
    const shorter = { ...first, body: { text: 'short' } } as EventEnvelope;
    const line = encodeEventIn(shorter, end - offset) ?? '';
    expect(rewriteEventFile(folder, fileName, [{ offset, id: first.id, line }])).toBe(1);
    expect(events().map(({ body }) => 'text' in body && body.text)).toEqual(['short', 'stays']);
    expect(() => rewriteEventFile(folder, fileName, [{ offset, id: first.id, line: `${line}\n` }])).toThrow();
    expect(encodeEventIn(first, 20), 'there is no room').toBeUndefined();
  });

  it('forgets nothing if another event is at the position', () => {
    const event = promptEvent('kept');
    log.append([event]);
    const before = readFileSync(file);
    expect(forgetEvents(folder, [{ file: fileName, offset: 0, id: 'f'.repeat(32) }])).toBe(0);
    expect(forgetEvents(folder, [{ file: fileName, offset: 7, id: event.id }])).toBe(0);
    expect(readFileSync(file)).toEqual(before);
  });

  it('[record-cap] keeps kind, length, hash and both ends of a record over 16 MB, and returns it', () => {
    const context = {
      ...sampleEvent({ kind: 'probe', body: { nonce: '' } }),
      root: '/repo',
      exclude: [],
      userHome: '/home/ann',
      redactor: rulesOnly,
    };
    const observe = (text: string) =>
      toEvent(
        { kind: 'answer', id: 'e'.repeat(32), origin: 'assistant', trust: 1, body: { text, turn: 't' } },
        context,
        clock,
      ) as EventEnvelope;
    // JSON needs six bytes for each character in the middle.
    const words = 'word '.repeat(20_000);
    const long = `start ${words}${'\u0001'.repeat(2_800_000)}${words}end`;
    log.append([observe(long)]);
    const [event] = events();
    if (event?.kind !== 'oversize') throw new Error(`stored as ${event?.kind}`);
    expect(event.body).toMatchObject({ of: 'answer', length: long.length, turn: 't' });
    expect(event.body.head.startsWith('start word')).toBe(true);
    expect(event.body.tail.endsWith('word end')).toBe(true);
    expect(statSync(file).size).toBeLessThan(300_000);
  });

  it('[record-cap] returns every record it stored, even if JSON needs six bytes for each character', () => {
    const context = {
      ...sampleEvent({ kind: 'probe', body: { nonce: '' } }),
      root: '/repo',
      exclude: [],
      userHome: '/home/ann',
      redactor: rulesOnly,
    };
    for (const [at, filler] of ['"', '\n', '\u0001', '\ud800', 'ä'].entries()) {
      const text = filler.repeat(2_790_000);
      const id = String(at).padStart(32, 'b');
      const event = toEvent(
        { kind: 'prompt', id, isRedacted: true, origin: 'user', trust: 2, body: { text } },
        context,
        clock,
      );
      if (event !== undefined) log.append([event]);
    }
    expect(entries().map(({ kind }) => kind)).toEqual(['event', 'event', 'event', 'event', 'event']);
  });
});
