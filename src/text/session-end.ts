import { plainMarkdown } from './plain-markdown.ts';
import { fitSentences, typedSentences, withoutCodeBlocks } from './sentences.ts';
import { type CommandRun, lastTestResults } from './test-result.ts';
import { truncateLine } from './truncate-line.ts';

/** How an agent session ended, from what was observed and from the agent's last answer. */
export type SessionEnd = ReturnType<typeof sessionEnd>;

interface AgentAnswer {
  event: string;
  text: string;
}

const maxCommits = 5;
const maxTests = 3;
const maxSubjectLength = 100;
const maxAgentWords = 400;

/** `runs` and `answers` are in the order in which they happened. */
export function sessionEnd(runs: CommandRun[], answers: AgentAnswer[]) {
  const agentWords = lastWords(answers);
  return {
    /** Commits that the agent made, oldest first. */
    commits: runs
      .flatMap(commitsMade)
      .slice(-maxCommits)
      .map((one) => ({ ...one, subject: truncateLine(one.subject, maxSubjectLength) })),
    tests: lastTestResults(runs).slice(-maxTests),
    ...(agentWords === undefined ? {} : { agentWords }),
  };
}

function lastWords(answers: AgentAnswer[]): AgentAnswer | undefined {
  for (const { event, text } of answers.toReversed()) {
    const words = firstParagraph(text);
    if (words !== '') return { event, text: words };
  }
  return undefined;
}

/** The first paragraph of at least four words, because agents put the result first. */
function firstParagraph(answer: string): string {
  const paragraphs = withoutCodeBlocks(answer)
    .split(/\n\s*\n/)
    .map((paragraph) => typedSentences(paragraph).map(plainMarkdown));
  const first = paragraphs.find((sentences) =>
    /(?:\S+\s+){3}\S|\p{Script=Han}{6}/u.test(sentences.join(' ')),
  );
  return fitSentences(first ?? [], maxAgentWords);
}

/**
 * The commits that a command made: reads `[main 1a2b3c4] subject`, which `git commit` prints. What is indexed of a
 * command of several lines has the further lines before the output.
 */
export function commitsMade({ event, command, ok, output }: CommandRun) {
  if (!ok || !/\bgit\b[^|;]*\bcommit\b/.test(`${command}\n${output}`)) return [];
  return [...output.matchAll(/^\[[^\]\n]{1,200} ([0-9a-f]{7,40})\] (.+)$/gm)].map(
    ([, hash = '', subject = '']) => ({ event, hash, subject: subject.trim() }),
  );
}

/** The end of a session, one fact per line. The agent's words are labelled, because nobody has checked them. */
export const sessionEndLines = ({ commits, tests, agentWords }: SessionEnd): string[] => [
  ...(commits.length === 0
    ? []
    : [`Committed: ${commits.map(({ hash, subject }) => `${hash} ${subject}`).join('; ')}`]),
  ...(tests.length === 0
    ? []
    : [`Last results: ${tests.map(({ command, result }) => `\`${command}\` ${result}`).join(', ')}`]),
  ...(agentWords === undefined ? [] : [`The agent said last: ${agentWords.text}`]),
];

/** Ids of the events that these lines quote. */
export const sessionEndEvents = ({ commits, tests, agentWords }: SessionEnd): string[] => [
  ...new Set(
    [...commits, ...tests, ...(agentWords === undefined ? [] : [agentWords])].map(({ event }) => event),
  ),
];
