import { isAlphanumeric } from './character-classes.ts';
import type { Span } from './redact.ts';

/**
 * Finds the other places where a secret of this text stands without anything that would give it away: a here-document,
 * a log line, a retry. Ordinary words are left alone, because a weak password is often one of them.
 */
const minLength = 8;
/** Each value is one search over the text, so their number is bounded. */
const maxValues = 32;

export function repeatedSecrets(text: string, spans: readonly Span[]): Span[] {
  const values = new Map<string, Span>();
  for (const span of spans) {
    if (values.size >= maxValues) break;
    const length = span.end - span.start;
    if (length < minLength || length > 512) continue;
    const value = text.slice(span.start, span.end);
    if (isDistinctive(value)) values.set(value, span);
  }
  const repeated: Span[] = [];
  for (const [value, { name, rank }] of values) {
    for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + value.length)) {
      const end = at + value.length;
      if (isAlphanumeric(text.charCodeAt(at - 1)) || isAlphanumeric(text.charCodeAt(end))) continue;
      repeated.push({ start: at, end, name, rank });
    }
  }
  return repeated;
}

/** Letters with digits, and no line break: nobody writes this without meaning the secret. */
const isDistinctive = (value: string): boolean =>
  /\d/.test(value) && /\p{L}/u.test(value) && !/[\r\n]/.test(value);
