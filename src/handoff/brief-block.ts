/**
 * A brief inside a file that people write, such as AGENTS.md: between marks, so that the next one takes the place
 * of the last and taking it out gives back every byte that was there.
 */
const beginMark = '<!-- backstory handoff: begin (`backstory brief --remove-from` takes it out)';
const endMark = '<!-- backstory handoff: end -->';
/** Said in the mark when there was no such file before. */
const madeFile = ' (this file was made for it)';

/** `text` is undefined when there is no such file. */
export function withBlock(text: string | undefined, brief: string): string {
  const place = placeOf(text ?? '');
  const isOurs = text === undefined || place?.isOurs === true;
  const begin = `${beginMark}${isOurs ? madeFile : ''} -->`;
  const block = `${begin}\n${brief.replaceAll('<!--', '‹!--')}\n${endMark}`;
  if (text === undefined) return `${block}\n`;
  // The line break before it belongs to it: a file need not end with one.
  if (place === undefined) return `${text}\n${block}\n`;
  return text.slice(0, place.start) + block + text.slice(place.end);
}

/** Undefined when there is no block in it; `isEmpty` when the file was made for it and holds nothing else. */
export function withoutBlock(text: string): { text: string; isEmpty: boolean } | undefined {
  const place = placeOf(text);
  if (place === undefined) return undefined;
  const end = text[place.end] === '\n' ? place.end + 1 : place.end;
  const start = !place.isOurs && text[place.start - 1] === '\n' ? place.start - 1 : place.start;
  const rest = text.slice(0, start) + text.slice(end);
  return { text: rest, isEmpty: place.isOurs && rest === '' };
}

function placeOf(text: string): { start: number; end: number; isOurs: boolean } | undefined {
  const start = text.indexOf(beginMark);
  const end = text.indexOf(endMark, start);
  if (start === -1 || end === -1) return undefined;
  return { start, end: end + endMark.length, isOurs: text.startsWith(madeFile, start + beginMark.length) };
}
