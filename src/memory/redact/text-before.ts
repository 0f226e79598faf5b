/** Whether a sticky pattern matches at a place. */
export function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** The text before a place, of at most this length. */
export const textBefore = (text: string, at: number, maxLength: number): string =>
  text.slice(Math.max(0, at - maxLength), at);
