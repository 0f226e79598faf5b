/**
 * Marks around a brief in a user's file such as AGENTS.md. The next brief replaces the block between them, and removing
 * the block restores the file byte for byte.
 */
const beginMark = '<!-- backstory handoff: begin (`backstory handoff --remove-from` takes it out)';
const endMark = '<!-- backstory handoff: end -->';
/** Part of the mark if the file did not exist before. */
const createdFile = ' (this file was made for it)';

/** `text` is undefined if the file does not exist. */
export function withBlock(text: string | undefined, brief: string): string {
  const place = placeOf(text ?? '');
  const isOurs = text === undefined || place?.isOurs === true;
  const begin = `${beginMark}${isOurs ? createdFile : ''} -->`;
  const block = `${begin}\n${brief.replaceAll('<!--', '‹!--')}\n${endMark}`;
  if (text === undefined) return `${block}\n`;
  // The line break before the block belongs to it, because the file may not end with one.
  if (place === undefined) return `${text}\n${block}\n`;
  return text.slice(0, place.start) + block + text.slice(place.end);
}

/** Returns undefined if there is no block. `isEmpty`: the file was created for the block and has no other text. */
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
  return { start, end: end + endMark.length, isOurs: text.startsWith(createdFile, start + beginMark.length) };
}
