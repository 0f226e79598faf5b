/**
 * Layout of the text of an extracted note: optionally `Asked: ` with the question it replies to, then the statement,
 * then optionally `While working on: ` with the topic of the session. Both lines are written only if the statement is
 * hard to understand without them.
 */
export const askedMark = 'Asked: ';
export const topicMark = 'While working on: ';

const marks = [askedMark, topicMark];
const isContext = (line: string): boolean => marks.some((mark) => line.startsWith(mark));

export function parseNoteText(text: string): { statement: string[]; context: string[] } {
  const lines = text.split('\n');
  return { statement: lines.filter((line) => !isContext(line)), context: lines.filter(isContext) };
}

/** The statement, then the question. The topic is left out, because it often has little to do with the statement. */
export function withoutTopic(text: string): string {
  const { statement, context } = parseNoteText(text);
  return [...statement, ...context.filter((line) => !line.startsWith(topicMark))].join('\n');
}

/** Maximum length, in characters, of a reply that needs its question to be clear. */
const maxShortReplyLength = 40;

/** The title of a note: its first line, followed by the question only if the line is too short to be clear alone. */
export function titleOfText(text: string): string {
  const { statement, context } = parseNoteText(text);
  const first = statement.find((line) => line.trim() !== '');
  const question = context.find((line) => line.startsWith(askedMark))?.slice(askedMark.length);
  if (first === undefined) return text;
  return question === undefined || first.length > maxShortReplyLength
    ? first
    : `${first} (asked: ${question})`;
}
