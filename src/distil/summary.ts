import { isoDay } from '../base/clock.ts';
import { sessionEnd, sessionEndEvents, sessionEndLines } from '../text/session-end.ts';
import { sessionTitle } from '../text/session-title.ts';
import { isUnanswered, type Proposal, type SessionTurns } from './distiller.ts';

const maxFiles = 12;

/**
 * One note for the whole agent session: its title, what was done, and how it ended. Later requests
 * are left out, because a later one may have overturned an earlier one. The note quotes the agent, so its trust is 1,
 * and no session is told it unasked. A session without edits, findings and kept statements gets
 * no summary.
 */
export function summaryOf(session: SessionTurns, isWanted: boolean): Proposal[] {
  const { turns, agent, branch } = session;
  const acts = turns.flatMap((turn) => turn.acts);
  const [first, last] = [turns[0], turns.at(-1)];
  if (first === undefined || last === undefined) return [];
  const files = [...new Set(acts.flatMap((act) => (act.kind === 'edit' ? [act.path] : [])))];
  const end = sessionEnd(
    acts.filter((act) => act.kind === 'command'),
    acts.filter((act) => act.kind === 'answer'),
  );
  const hasFinding = end.agentWords !== undefined && acts.some(({ kind }) => kind !== 'answer');
  if (!isWanted && files.length === 0 && !hasFinding) return [];
  const prompts = turns.flatMap(({ prompt }) =>
    prompt === undefined || prompt.asked !== undefined ? [] : [{ ...prompt, typist: 'person' as const }],
  );
  const { title, event } = sessionTitle({ prompts, files, tests: end.tests });
  if (title === '') return [];
  const lines = [
    title,
    `Session of ${isoDay(first.at)} with ${agent}${branch === '' ? '' : ` on ${branch}`}.`,
    ...(files.length === 0 ? [] : [`Edited: ${files.slice(0, maxFiles).join(', ')}`]),
    ...sessionEndLines(end),
    ...(isUnanswered(turns) ? ['The last request has no answer.'] : []),
  ];
  return [
    {
      kind: 'summary',
      text: lines.join('\n'),
      turn: first.id,
      at: last.at,
      evidence: [...(event === '' ? [] : [event]), ...sessionEndEvents(end)],
      files: files.slice(0, maxFiles),
      trust: 1,
    },
  ];
}
