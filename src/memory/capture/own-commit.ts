import { isMarkedByAgent } from '../../agents/commits-by-agents.ts';
import { plainWords } from '../../text/plain-words.ts';
import { typedSentences } from '../../text/sentences.ts';
import { isDuring, type WorkSpan } from './agent-work-spans.ts';

/** A commit that was made in this checkout with the user's own email address. */
export interface OwnCommit {
  message: string;
  author: string;
  /** Author, committer and reflog times of the commit and of the commit that it amends, in milliseconds since 1970. */
  times: number[];
  isBackdated: boolean;
  /** When the commit was written to disk, whatever its dates say. Absent if git has packed it. */
  writtenAt?: number;
}

export interface CommitEvidence {
  now: number;
  /** Time from which Backstory has observed agents in this project, in milliseconds since 1970. */
  watchedSince: number;
  spans: WorkSpan[];
  /** Messages of commits that the user did not write. */
  others: OtherText[];
}

export interface OtherText {
  at: number;
  words: string;
}

/**
 * Whether the user wrote a commit message. True only if there is no sign of an agent: no agent signature in the
 * commit, no agent at work at any of the commit's times, and no sentence from an earlier commit by another author, as
 * after a squash, a revert or an amend. False if the commit was made before Backstory observed agents, or is dated
 * after now.
 */
export function isUsersOwn(commit: OwnCommit, { now, watchedSince, spans, others }: CommitEvidence): boolean {
  const { message, author, times, isBackdated, writtenAt } = commit;
  if (isBackdated || times.length === 0 || isMarkedByAgent(message, author)) return false;
  if (times.some((at) => at > now + clockSkewMs)) return false;
  if (writtenAt !== undefined && isDuring(writtenAt, spans)) return false;
  if (times.some((at) => !(at >= watchedSince) || isDuring(at, spans))) return false;
  const written = Math.min(...times);
  // Compared by line and by sentence, because a message may have been re-wrapped.
  const sentences = [...message.split('\n'), ...typedSentences(message)]
    .map(plainWords)
    .filter((words) => words.length >= minCopiedLength);
  return !others.some(
    ({ at, words }) => at < written && sentences.some((sentence) => words.includes(sentence)),
  );
}

/** Git stores whole seconds, and clocks are corrected. */
const clockSkewMs = 5_000;

/**
 * Minimum length of a sentence that counts as copied from another commit. Shorter sentences, such as "fix typo", are
 * written again and again.
 */
const minCopiedLength = 24;
