/**
 * How the text of a distilled note is laid out: what was said, with a line before it that says what it was said
 * to, and one after it that says in which piece of work, where it means little without.
 */
export const askedMark = 'Asked: ';
export const topicMark = 'While working on: ';

const isAround = (line: string): boolean => line.startsWith(askedMark) || line.startsWith(topicMark);

export function parseNoteText(text: string): { said: string[]; around: string[] } {
  const lines = text.split('\n');
  return { said: lines.filter((line) => !isAround(line)), around: lines.filter(isAround) };
}

/** What was said, then what to: that says what it is about; the piece of work it was said in may have been any. */
export function withoutTopic(text: string): string {
  const { said, around } = parseNoteText(text);
  return [...said, ...around.filter((line) => !line.startsWith(topicMark))].join('\n');
}

/** Longer ones say enough without the question. */
const shortReply = 40;

/** What a note is called by: what was said, and what it was said to only where that is too short to mean anything. */
export function calledBy(text: string): string {
  const { said, around } = parseNoteText(text);
  const first = said.find((line) => line.trim() !== '');
  const asked = around.find((line) => line.startsWith(askedMark))?.slice(askedMark.length);
  if (first === undefined) return text;
  return asked === undefined || first.length > shortReply ? first : `${first} (asked: ${asked})`;
}
