import { isoDay } from '../base/clock.ts';
import { askedMark } from '../text/note-text.ts';
import { fitSentences, typedSentences } from '../text/sentences.ts';
import { sessionEnd, sessionEndEvents, sessionEndLines } from '../text/session-end.ts';
import type { Proposal, SessionTurns, Turn } from './distiller.ts';

const maxRequestLength = 240;
const maxFiles = 12;

/**
 * One note for the whole agent session: the first request of the user, what was done, and how it ended. Later requests
 * are left out, because a later one may have overturned an earlier one. The note quotes the agent, so its trust is 1,
 * and no session is told it unasked. A session without edits, findings and kept statements gets
 * no summary.
 */
export function summaryOf(session: SessionTurns, kept: Proposal[]): Proposal[] {
  const { turns, agent, branch } = session;
  const acts = turns.flatMap((turn) => turn.acts);
  const request = firstRequest(turns);
  const [first, last] = [turns[0], turns.at(-1)];
  if (first === undefined || last === undefined || request === undefined) return [];
  const files = [...new Set(acts.flatMap((act) => (act.kind === 'edit' ? [act.path] : [])))];
  const end = sessionEnd(
    acts.filter((act) => act.kind === 'command'),
    acts.filter((act) => act.kind === 'answer'),
  );
  const hasFinding = end.agentWords !== undefined && acts.some(({ kind }) => kind !== 'answer');
  if (kept.length === 0 && files.length === 0 && !hasFinding) return [];
  const asked = turns.findLast(({ prompt }) => prompt?.asked === undefined);
  const isUnanswered = asked?.prompt !== undefined && !asked.acts.some(({ kind }) => kind === 'answer');
  const lines = [
    `Session of ${isoDay(first.at)} with ${agent}${branch === '' ? '' : ` on ${branch}`}.`,
    `${askedMark}${request.text}`,
    ...(files.length === 0 ? [] : [`Edited: ${files.slice(0, maxFiles).join(', ')}`]),
    ...sessionEndLines(end),
    ...(isUnanswered ? ['The last request has no answer.'] : []),
  ];
  return [
    {
      kind: 'summary',
      text: lines.join('\n'),
      turn: first.id,
      at: last.at,
      evidence: [request.event, ...sessionEndEvents(end)],
      files: files.slice(0, maxFiles),
      concepts: [],
      trust: 1,
    },
  ];
}

/** The first prompt with a sentence of three words. Shorter ones, such as "hi" or "go on", do not say what to do. */
function firstRequest(turns: Turn[]): { event: string; text: string } | undefined {
  for (const { prompt } of turns) {
    const sentences = typedSentences(prompt?.text ?? '');
    const isRequest = sentences.some((one) => /\S\s+\S+\s+\S|\p{Script=Han}{4}/u.test(one));
    if (prompt !== undefined && prompt.asked === undefined && isRequest)
      return { event: prompt.event, text: fitSentences(sentences, maxRequestLength).replace(/\s+/g, ' ') };
  }
  return undefined;
}
