import { typedBlocks } from '../../text/prompt-blocks.ts';
import { fitSentences, typedSentences } from '../../text/sentences.ts';
import { queryTerms } from '../../text/words.ts';

/** Messages that agents write themselves at the start of a conversation that goes on elsewhere. */
const continued =
  /^(?:this session is being continued from|caveat: the messages below|\[request interrupted|here(?:'s| is) (?:the|a) summary of (?:our|the|my) (?:previous|last|earlier))/i;
/** `/review 12`, but not the path `/srv/app is gone`; `!ls` and `#remember` are Claude Code's own, `#5` is an issue, `##` a heading. */
const command = /^(?:\/[\w:.-]+(?:\s|$)|!\S|#[^\s\d#])/;
/** A request names at least this many things; with fewer there is nothing to look for. */
const minTerms = 2;

/** No command of the agent, no pasted summary, and more than one word that could be looked up. */
export function isRequest(prompt: string): boolean {
  const text = prompt.trim();
  if (isForAgent(text)) return false;
  if (namedIssues(text).length > 0) return true;
  const { terms, isCommon } = queryTerms(text);
  return !isCommon && terms.length >= minTerms;
}

/** Whether a prompt is a command of the agent, or its summary of another conversation. */
export const isForAgent = (prompt: string): boolean =>
  command.test(prompt.trim()) || continued.test(prompt.trim());

/** `#5`, the end of an address such as `/issues/5`, `GH-5` and `issue 5`, but not the 5 of `5.1` or of `a#5`. */
const issueNumber =
  /(?:(?<![\w#&/])#|\/(?:issues|pull|merge_requests)\/|\bgh-|\b(?:issue|ticket|pull request|merge request|pr|mr) (?:number )?#?)(\d{1,7})(?!\w|\.\d)/gi;

export const namedIssues = (text: string): string[] => [
  ...new Set([...text.matchAll(issueNumber)].map(([, number = '']) => number)),
];

const maxQuestion = 500;

const typedIn = (prompt: string): string[] => typedBlocks({ text: prompt }).flatMap(typedSentences);

/** What the user typed in a prompt; empty if they only pasted something. */
export const typedText = (prompt: string): string => typedIn(prompt).join(' ');

/** The same, as short as a question. */
export const questionOf = (prompt: string): string => fitSentences(typedIn(prompt), maxQuestion);
