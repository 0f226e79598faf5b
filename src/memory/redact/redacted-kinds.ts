/** What is written in place of a secret. */
export const mark = /\[redacted:([a-z0-9-]+)\]/g;

/** How often each rule replaced something between two versions of a text. */
export function redactedKinds(before: string, after: string): Record<string, number> {
  const kinds: Record<string, number> = {};
  for (const [, kind = ''] of after.matchAll(mark)) kinds[kind] = (kinds[kind] ?? 0) + 1;
  for (const [, kind = ''] of before.matchAll(mark)) if (kind in kinds) kinds[kind] = (kinds[kind] ?? 0) - 1;
  return Object.fromEntries(Object.entries(kinds).filter(([, count]) => count > 0));
}

/** Tells a writer what was removed from a note, or returns an empty string. */
export function redactionLine(before: string, after: string): string {
  const kinds = Object.entries(redactedKinds(before, after)).map(([kind, count]) => `${count} × ${kind}`);
  return kinds.length === 0
    ? ''
    : `Taken for a secret and not stored: ${kinds.join(', ')}. If it is none, write it in other words.`;
}
