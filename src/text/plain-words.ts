/** The words of a text, without case, punctuation and line breaks: two texts with the same words say the same. */
export const plainWords = (text: string): string =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
