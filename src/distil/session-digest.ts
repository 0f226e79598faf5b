import { askedText } from '../domain/event.ts';
import { harmlessLine } from '../text/fence.ts';
import type { SessionTurns, Turn } from './distiller.ts';
import { heads, prefixLines, truncateMiddle } from './session-record.ts';

const maxPromptLength = 6_000;
const maxAnswerLength = 900;
const maxNameLength = 200;
/** Commands and edited files shown per turn, the last ones. */
const maxActs = 12;
/** Maximum size of a digest of several turns, so that it fits in one answer of a tool. */
const maxBytes = 13_000;

/**
 * One agent session as digests that a running agent can read, oldest turn first: the user's prompts with `idOf` each,
 * the agent's last answers, edited files, and commands with their status. They hold no output of tools. Text is prefixed
 * with `| ` line by line, so that none can pass for an id. A session without prompts has no digest.
 */
export function digestsOf({ turns }: SessionTurns, idOf: (event: string) => string): string[] {
  const digests: string[] = [];
  let [text, hasPrompt] = ['', false];
  for (const turn of turns) {
    const added = linesOf(turn, idOf).join('\n');
    if (hasPrompt && Buffer.byteLength(text + added) > maxBytes) {
      digests.push(text);
      [text, hasPrompt] = ['', false];
    }
    // Of turns that nobody typed, only the last before a prompt matters: the user answers it.
    const isReplaced = text === '' || (!hasPrompt && turn.prompt === undefined);
    text = isReplaced ? added : `${text}\n${added}`;
    hasPrompt ||= turn.prompt !== undefined;
  }
  return hasPrompt ? [...digests, text] : digests;
}

function linesOf({ prompt, acts }: Turn, idOf: (event: string) => string): string[] {
  const answer = acts.findLast(({ kind }) => kind === 'answer');
  const edits = acts.flatMap((act) => (act.kind === 'edit' ? [harmlessLine(act.path, maxNameLength)] : []));
  const commands = acts.flatMap((act) =>
    act.kind === 'command'
      ? [`| ${harmlessLine(act.command, maxNameLength)} (${act.ok ? 'passed' : 'failed'})`]
      : [],
  );
  const asked = prompt?.asked === undefined ? '' : askedText(prompt.asked);
  return [
    ...titled(heads.asked, prefixed(asked, maxAnswerLength)),
    ...(prompt === undefined
      ? []
      : [
          `${idOf(prompt.event)} ${heads[prompt.isPlan === true ? 'plan' : 'prompt']}`,
          ...prefixed(prompt.text, maxPromptLength),
        ]),
    ...titled(heads.edit, [...new Set(edits)].map((path) => `| ${path}`).slice(-maxActs)),
    ...titled(heads.command, [...new Set(commands)].slice(-maxActs)),
    ...titled(heads.answer, answer?.kind === 'answer' ? prefixed(answer.text, maxAnswerLength) : []),
  ];
}

const titled = (title: string, lines: string[]): string[] => (lines.length === 0 ? [] : [title, ...lines]);

const prefixed = (text: string, maxLength: number): string[] => prefixLines(truncateMiddle(text, maxLength));
