/** Minimum length of a run: a sequence of characters without spaces, as in base64. Words of a sentence are shorter. */
const minLength = 20;

const isOfRun = new Uint8Array(128);
for (const char of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/_-')
  isOfRun[char.charCodeAt(0)] = 1;

/** Tests only every twentieth character, one of which is in every run of that length. */
export function visitLongRuns(text: string, visit: (start: number, end: number) => void): void {
  const { length } = text;
  for (let at = minLength - 1; at < length; at += minLength) {
    if (isOfRun[text.charCodeAt(at)] !== 1) continue;
    let start = at;
    while (start > 0 && isOfRun[text.charCodeAt(start - 1)] === 1) start--;
    let end = at + 1;
    while (end < length && isOfRun[text.charCodeAt(end)] === 1) end++;
    if (end - start >= minLength) visit(start, end);
    at = end - 1;
  }
}

interface RunKinds {
  hasUpper: boolean;
  hasDigit: boolean;
  /** Whether the run contains only lower-case hexadecimal digits and dashes. */
  isHex: boolean;
}

/** The kinds of characters of a run. Excludes most runs before any regex is tried. */
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
