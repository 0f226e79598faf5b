import type { RealSession } from '../recall-real/read-sets.ts';
import type { Task } from './read-tasks.ts';

const phraseWords = 6;

/**
 * Phrases of six words that occur only in the chat that settled the rule (in what the user said after the opening, which
 * describes the symptom, and in the last answer) or in the text of the commit. If one of them is before the model, the
 * past has arrived.
 */
export function decisionPhrases({ chats, rationale, bugReport }: Task, decoys: RealSession[]): string[] {
  const settling = chats.at(-1)?.messages ?? [];
  const lastAnswer = settling.findLast(({ act }) => act.kind === 'answer');
  const prompts = settling.filter(({ act }) => act.kind === 'prompt').slice(1);
  const told = lastAnswer === undefined ? prompts : [...prompts, lastAnswer];
  const elsewhere = [...decoys, ...chats.slice(0, -1)].flatMap(({ messages }) => messages);
  const known = new Set([bugReport, ...elsewhere.map(textOf)].flatMap(phrasesOf));
  return [...new Set([...told.map(textOf), rationale].flatMap(phrasesOf))].filter(
    (phrase) => !known.has(phrase),
  );
}

const textOf = ({ act }: RealSession['messages'][number]): string => ('text' in act ? act.text : '');

/** A phrase does not span a character that is escaped in JSON, so that it is found in a raw request too. */
const phrasesOf = (text: string): string[] =>
  text.split(/["\\\n\r\t]|[^\x20-\x7e]/).flatMap((part) => {
    const words = part.split(' ').filter((word) => word !== '');
    return words
      .slice(0, Math.max(0, words.length - phraseWords + 1))
      .map((_, at) => words.slice(at, at + phraseWords).join(' '));
  });
