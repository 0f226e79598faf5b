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
    while (isOfRun[text.charCodeAt(start - 1)] === 1) start--;
    let end = at + 1;
    while (isOfRun[text.charCodeAt(end)] === 1) end++;
    if (end - start >= minLength) visit(start, end);
    at = end - 1;
  }
}
