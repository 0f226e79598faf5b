import { isoTime } from '../base/clock.ts';
import { askedMark } from '../text/note-text.ts';
import type { Proposal, SessionTurns } from './distiller.ts';
import { fitSentences, typedSentences } from './sentences.ts';
import { isAgreement, withoutCourtesy } from './wording.ts';

const maxAsked = 6;
const maxLine = 160;
const maxFiles = 12;

/**
 * One note for the whole agent session: what the user asked for, in their words, and what we saw happen. No
 * word of the agent or of a tool is in it, so it may be told to anyone. A session in which nothing was done
 * and nothing was kept gets none.
 */
export function summaryOf(session: SessionTurns, kept: Proposal[]): Proposal[] {
  const acts = session.turns.flatMap((turn) => turn.acts);
  const files = [...new Set(acts.flatMap((act) => (act.kind === 'edit' ? [act.path] : [])))];
  const asked = session.turns.flatMap(({ prompt }) => {
    const said = withoutCourtesy((prompt?.text ?? '').replace(/\s*\b(?:lol|haha+)\b/gi, ''));
    const isEmpty = said.split(/\s+/).length < 2 && !/\p{Script=Han}{4}/u.test(said);
    return isEmpty || isAgreement(said) ? [] : [fitSentences(typedSentences(said), maxLine)];
  });
  const first = session.turns[0];
  const last = session.turns.at(-1);
  if (first === undefined || last === undefined || asked.length === 0) return [];
  if (files.length === 0 && kept.length === 0) return [];
  const shown = asked.length <= maxAsked ? asked : [...asked.slice(0, 3), ...asked.slice(-3)];
  const on = session.branch === '' ? '' : ` on ${session.branch}`;
  const lines = [
    `Session of ${isoTime(first.at).slice(0, 10)} with ${session.agent}${on}.`,
    ...shown.map((text) => `${askedMark}${text}`),
    ...(files.length === 0 ? [] : [`Edited: ${files.slice(0, maxFiles).join(', ')}`]),
  ];
  return [
    {
      kind: 'summary',
      text: lines.join('\n'),
      turn: first.id,
      at: last.at,
      evidence: session.turns
        .flatMap(({ prompt }) => (prompt === undefined ? [] : [prompt.event]))
        .slice(0, 20),
      files: files.slice(0, maxFiles),
      concepts: [],
      trust: 2,
    },
  ];
}
