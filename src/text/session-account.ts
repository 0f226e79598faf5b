import type { ObservationType } from '../domain/observation.ts';

/** What a model that read a session says about it. Nobody has checked it. */
export interface SessionAccount {
  title: string;
  summary: string;
  turns: { /** Id of the event of the prompt. */ turn: string; type: ObservationType; title: string }[];
}

const titleMark = "A model's title: ";
const summaryMark = "A model's account: ";
const turnMark = "A model's turn ";
const isAccount = (line: string): boolean =>
  [titleMark, summaryMark, turnMark].some((mark) => line.startsWith(mark));

/** The lines about a session in its summary note, below the two lines at its head. */
export const accountLines = ({ title, summary, turns }: SessionAccount): string[] => [
  `${titleMark}${title}`,
  ...(summary === '' ? [] : [`${summaryMark}${summary}`]),
  ...turns.map((one) => `${turnMark}${one.turn}: ${one.type}: ${one.title}`),
];

export const accountIn = (note: string): string[] => note.split('\n').filter(isAccount);

/** Puts another account into the note: title and summary first, turns last. Without one, only the facts are left. */
export function withAccount(note: string, account: string[]): string {
  const [title = '', when = '', ...facts] = note.split('\n').filter((line) => !isAccount(line));
  const turns = account.filter((line) => line.startsWith(turnMark));
  const head = account.filter((line) => !turns.includes(line));
  return [title, when, ...head, ...facts, ...turns].join('\n');
}

export const modelTitle = (note: string): string =>
  accountIn(note)
    .find((line) => line.startsWith(titleMark))
    ?.slice(titleMark.length) ?? '';

/** What the note says about the session, without the two lines at its head, the model's title and its list of turns. */
export const summaryLines = (note: string): string[] =>
  note
    .split('\n')
    .slice(2)
    .filter((line) => !line.startsWith(titleMark) && !line.startsWith(turnMark));

/** The types and titles of turns, by the id of the event of their prompt. */
export function modelTurns(note: string): Map<string, { type: ObservationType; title: string }> {
  const turns = accountIn(note).flatMap((line) => {
    const [, turn = '', type = '', title = ''] =
      /^(\S+): (\w+): (.*)$/.exec(line.startsWith(turnMark) ? line.slice(turnMark.length) : '') ?? [];
    return turn === '' ? [] : [[turn, { type: type as ObservationType, title }] as const];
  });
  return new Map(turns);
}
