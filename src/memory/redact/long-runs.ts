/** Too many letters in a row for a word of a sentence. */
const minLength = 20;

/** Letters, digits and the signs of base64 and base64url. */
const isOfRun = new Uint8Array(128);
for (const char of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/_-')
  isOfRun[char.charCodeAt(0)] = 1;

/** Looks at every twentieth character only: no run of that length lies between two of them. */
export function visitLongRuns(text: string, visit: (start: number, end: number) => void): void {
  const { length } = text;
  for (let at = minLength - 1; at < length; at += minLength) {
    if (isOfRun[text.charCodeAt(at)] !== 1) continue;
    let start = at;
    while (start > 0 && isOfRun[text.charCodeAt(start - 1)] === 1) start--;
    let end = at + 1;
    while (end < length && isOfRun[text.charCodeAt(end)] === 1) end++;
    if (end - start >= minLength) visit(start, end);
    // The next look is a run's length beyond the end of this one.
    at = end - 1;
  }
}

interface RunKinds {
  hasUpper: boolean;
  hasDigit: boolean;
  /** Small hexadecimal digits and dashes alone. */
  isHex: boolean;
}

/** What a run is made of; most are told apart by this, before any pattern is tried. */
export function kindsOfRun(text: string, start: number, end: number): RunKinds {
  let hasUpper = false;
  let hasDigit = false;
  let isHex = true;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code >= 48 && code <= 57) hasDigit = true;
    else if (code < 97 || code > 102) {
      if (code >= 65 && code <= 90) hasUpper = true;
      if (code !== 45) isHex = false;
    }
    if (hasUpper && hasDigit) return { hasUpper, hasDigit, isHex: false };
  }
  return { hasUpper, hasDigit, isHex };
}
