import { isMarkedByAgent } from '../../agents/commits-by-agents.ts';
import { decisionsIn } from '../../text/decisions.ts';
import { isDuring, type WorkSpan } from './agents-at-work.ts';

/** What is known of a commit that was made in this checkout under the user's own address. */
export interface OwnCommit {
  message: string;
  author: string;
  /** When it was written, committed, and recorded here, and the same of what it amends. Milliseconds since 1970. */
  times: number[];
  isBackdated: boolean;
}

export interface CommitEvidence {
  /** When Backstory began to see what agents do in this project. */
  watchedSince: number;
  spans: WorkSpan[];
  /** Texts of commits that are not the user's. */
  others: OtherText[];
}

export interface OtherText {
  at: number;
  /** As `plainWords` gives it. */
  words: string;
}

/**
 * Whether a commit is in the user's own words. It is only if nothing says that an agent made it: no mark of an agent
 * in it, no agent at work at any time that belongs to it, and nothing in it that somebody else had committed before,
 * as after a squash, a revert or an amend under a new date. Where agents could not be seen, it is not.
 */
export function isUsersOwn(commit: OwnCommit, { watchedSince, spans, others }: CommitEvidence): boolean {
  const { message, author, times, isBackdated } = commit;
  if (isBackdated || times.length === 0 || isMarkedByAgent(message, author)) return false;
  if (times.some((at) => !(at >= watchedSince) || isDuring(at, spans))) return false;
  const written = Math.min(...times);
  // By line and by sentence, because a message may have been wrapped anew.
  const said = [...message.split('\n'), ...decisionsIn(message)]
    .map(plainWords)
    .filter((words) => words.length >= minRepeated);
  return !others.some(({ at, words }) => at < written && said.some((sentence) => words.includes(sentence)));
}

/** Shorter ones, such as "fix typo", are repeated without being copied. */
const minRepeated = 24;

export const plainWords = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
