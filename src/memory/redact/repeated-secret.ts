import { isAlphanumeric } from './character-classes.ts';
import type { Span } from './redact.ts';

/**
 * Finds further occurrences of a recognised secret in the same text that no rule matches, such as in a here-document, a
 * log line or a retry. Ordinary words are skipped, because a weak password may be one.
 */
const minLength = 8;
/** Maximum number of secrets that are searched for again. Each needs one search of the text. */
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

/** Such a value is unlikely to occur elsewhere by coincidence. */
const isDistinctive = (value: string): boolean =>
  /\d/.test(value) && /\p{L}/u.test(value) && !/[\r\n]/.test(value);
