const wholeUpTo = 1_500;
const sliceLength = 1_200;
const overlap = 200;

/** Splits a text into slices of about 1,200 characters that overlap by 200. A text of up to 1,500 stays whole. */
export function splitText(text: string): string[] {
  if (text.length <= wholeUpTo) return text.trim() === '' ? [] : [text];
  const slices: string[] = [];
  let start = 0;
  while (start < text.length) {
    const end =
      start + wholeUpTo >= text.length ? text.length : breakBefore(text, start, start + sliceLength);
    const slice = text.slice(start, end);
    if (slice.trim() !== '') slices.push(slice);
    if (end >= text.length) break;
    start = beginAfter(text, end - overlap, end);
  }
  return slices;
}

/** The last end of a paragraph, line, sentence or word in the second half of the slice. */
function breakBefore(text: string, start: number, end: number): number {
  const earliest = start + sliceLength / 2;
  for (const mark of ['\n\n', '\n', '. ', ' ']) {
    const at = text.lastIndexOf(mark, end - mark.length);
    if (at >= earliest) return at + mark.length;
  }
  return keepPair(text, end);
}

/** The first line or word that begins within the overlap, so that a slice does not begin inside a word. */
function beginAfter(text: string, from: number, end: number): number {
  for (const mark of ['\n', ' ']) {
    const at = text.indexOf(mark, from);
    if (at !== -1 && at + 1 < end) return at + 1;
  }
  return keepPair(text, from);
}

/** Moves a cut position so that it does not split a surrogate pair. */
function keepPair(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}
