/** Begins with a character that is not ASCII. */
export const beyondAscii = /^[^\0-\x7f]/;

/** A letter or digit of ASCII. */
export const isAlphanumeric = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
