import { isoTime } from '../base/clock.ts';

/**
 * Converts values of the code to those of an answer: times are milliseconds in the code and ISO 8601 in JSON, and some
 * enum values are in snake case in the code and in kebab case in JSON. This file loads no package, because the command
 * line uses it too.
 */

/** The fields of an answer to convert. Elements of an array have the encoding of the array. */
export type Encoding = 'time' | 'kebab' | { readonly [field: string]: Encoding };

/** Stands for every field of an object whose keys are data. */
export const anyField = '*';

/** Returns a copy with the converted fields. Parts without such fields are not copied. */
export function encodeAnswer(value: unknown, encoding: Encoding | undefined): unknown {
  if (encoding === undefined || value === null || value === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => encodeAnswer(item, encoding));
  if (encoding === 'time') return typeof value === 'number' ? timeText(value) : value;
  if (encoding === 'kebab') return typeof value === 'string' ? kebabText(value) : value;
  if (typeof value !== 'object') return value;
  const copy = { ...value } as Record<string, unknown>;
  const every = encoding[anyField];
  if (every !== undefined) for (const field in copy) copy[field] = encodeAnswer(copy[field], every);
  else
    for (const field in encoding)
      if (copy[field] !== undefined) copy[field] = encodeAnswer(copy[field], encoding[field]);
  return copy;
}

const earliest = Date.parse('0000-01-01T00:00:00.000Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/** Limits the time to years of four digits, because anybody can write another year into a commit. */
export const timeText = (ms: number): string => isoTime(Math.min(Math.max(ms || 0, earliest), latest));

export const kebabText = <Value extends string>(value: Value): Kebab<Value> =>
  value.replaceAll('_', '-') as Kebab<Value>;

type Kebab<Value extends string> = Value extends `${infer Head}_${infer Tail}`
  ? `${Head}-${Kebab<Tail>}`
  : Value;
