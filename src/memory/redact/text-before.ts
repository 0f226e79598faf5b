/** The text before a place, of at most this length. */
export const textBefore = (text: string, at: number, maxLength: number): string =>
  text.slice(Math.max(0, at - maxLength), at);
