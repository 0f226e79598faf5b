import { expect, it } from 'vitest';
import { z } from 'zod';
import { encodingOf } from './answers/encoding.ts';
import { count, isoTime, kebab, text, time } from './answers/fields.ts';
import { encodeAnswer } from './encode-answer.ts';

const session = z.strictObject({ id: text, at: time, count });
const schema = z.strictObject({
  sessions: z.array(session),
  last: session.nullable(),
  byAgent: z.record(text, time.optional()),
  pair: z.tuple([session, session]).optional(),
  found: z.union([z.strictObject({ at: time.describe('own words') }), z.strictObject({ reason: text })]),
  reasons: z.array(kebab(['path_match', 'memory'])),
  metadata: z.record(text, z.unknown()),
  created: isoTime,
});
const at = Date.UTC(2026, 10, 17, 4, 5, 6, 7);
const answer: z.output<typeof schema> = {
  sessions: [{ id: 'one', at, count: at }],
  last: null,
  byAgent: { codex: at },
  found: { at },
  reasons: ['path_match', 'memory'],
  metadata: { at, kind: 'of_others' },
  created: '2026-11-17T00:00:00.000Z',
};

it('converts the times and enum values of an answer, and nothing else', () => {
  const before = structuredClone(answer);
  const sent = encodeAnswer(answer, encodingOf(schema));
  const iso = '2026-11-17T04:05:06.007Z';
  expect(sent).toEqual({
    ...answer,
    sessions: [{ id: 'one', at: iso, count: at }],
    byAgent: { codex: iso },
    found: { at: iso },
    reasons: ['path-match', 'memory'],
  });
  expect(answer).toEqual(before);
  expect(schema.parse(sent)).toEqual(answer);
  expect(schema.encode(answer)).toEqual(sent);
});

it('shares the parts of an answer that have no time', () => {
  const sent = encodeAnswer(answer, encodingOf(schema)) as typeof answer;
  expect(sent.metadata).toBe(answer.metadata);
  expect(encodingOf(z.strictObject({ id: text, created: isoTime }))).toBeUndefined();
  expect(encodeAnswer(answer, undefined)).toBe(answer);
});

it('writes a time that no calendar has as one that readers can parse', () => {
  const texts = [Number.NaN, Number.POSITIVE_INFINITY, 8.7e15, -8.7e15, 1.5].map((ms) =>
    encodeAnswer(ms, encodingOf(time)),
  );
  expect(texts).toEqual([
    '1970-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
    '9999-12-31T23:59:59.999Z',
    '0000-01-01T00:00:00.000Z',
    '1970-01-01T00:00:00.001Z',
  ]);
  expect(texts.every((one) => time.safeParse(one).success)).toBe(true);
});

it('does not accept alternatives that encode the same field differently', () => {
  const mixed = z.union([z.strictObject({ a: time }), z.strictObject({ a: kebab(['x_y']) })]);
  expect(() => encodingOf(mixed)).toThrow('differently');
});
