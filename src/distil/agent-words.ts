import type { NoteKind } from '../domain/note.ts';
import { askedLine, maxFiles, maxText, spokenIn, tellingIn } from './agent-sentences.ts';
import { curesOf, fixOf } from './cures.ts';
import { cureConcept, type Proposal, type SessionTurns, type Turn } from './distiller.ts';
import { fitSentences, typedSentences } from './sentences.ts';
import {
  isAboutTheWork,
  isAdvice,
  isCause,
  isChoice,
  isCure,
  isInquiry,
  isLimit,
  isPlainCause,
  isProblem,
  isQuestion,
  isSetback,
  namesCode,
  withoutCourtesy,
} from './wording.ts';

/**
 * What the agent found out: errors with the change that cured them, answers to questions about the project, and
 * ways that led nowhere. Nearly all an agent says is an announcement or a courtesy; a sentence is taken when it
 * says why, or what was changed for it, and only where work or a question shows that there was something to say.
 */
export function fromAgent(session: SessionTurns): Proposal[] {
  const cures = curesOf(session);
  return session.turns.flatMap((turn) => {
    const cured = cures.filter((cure) => cure.turn === turn);
    const fixes = cured.length > 0 ? cured.map((cure) => fixOf(cure)) : [findingOf(turn) ?? answerOf(turn)];
    const known = fixes.flatMap((fix) => fix?.text ?? []).join('\n');
    return [...fixes, setbackOf(turn, known)].filter((proposal) => proposal !== undefined);
  });
}

const editsOf = ({ acts }: Turn): string[] => acts.flatMap((act) => (act.kind === 'edit' ? [act.path] : []));

/** Without a failing command: edits or a search for a cause, and an answer that names it. */
function findingOf(turn: Turn): Proposal | undefined {
  const hasWork = turn.acts.some(({ kind }) => kind !== 'answer');
  if (!hasWork) return undefined;
  const edits = editsOf(turn);
  const answers = turn.acts.filter((act) => act.kind === 'answer');
  const names = isProblem(turn.prompt?.text ?? '') ? isCause : isPlainCause;
  if (!spokenIn(answers).some(names)) return undefined;
  const chosen = tellingIn(answers, (one) => names(one) || (isCure(one) && edits.length > 0)).slice(-3);
  const files = [...new Set(edits)].slice(0, maxFiles);
  return agentSaid(turn, edits.length > 0 ? 'fix' : 'discovery', chosen, { files });
}

const minAnswer = 40;
const maxSentences = 3;

/** A question about the project, and an answer that will still be one in a month. */
function answerOf(turn: Turn): Proposal | undefined {
  const asked = typedSentences(withoutCourtesy(turn.prompt?.text ?? ''));
  const question = asked.findLast(isInquiry);
  if (question === undefined || isAboutTheWork(question) || isChoice(question)) return undefined;
  // What is said of an edit is a report, and the commit says it too.
  if (editsOf(turn).length > 0) return undefined;
  const answers = turn.acts.filter((act) => act.kind === 'answer');
  const sentences = spokenIn(answers.slice(-1)).filter((one) => !isQuestion(one) && !isAdvice(one));
  // General knowledge needs no memory; what names something of the project does, and what was looked up here
  // and says why or how much.
  const wasLookedUp = turn.acts.some(({ kind }) => kind !== 'answer');
  const tells = (one: string): boolean => namesCode(one) || (wasLookedUp && (isCause(one) || isLimit(one)));
  const isOfProject = namesCode(question) || (wasLookedUp && isProblem(question)) || sentences.some(tells);
  if (!isOfProject || sentences.join(' ').length < minAnswer) return undefined;
  return agentSaid(turn, 'discovery', sentences.slice(0, maxSentences), { question });
}

function setbackOf(turn: Turn, known: string): Proposal | undefined {
  const found = turn.acts
    .flatMap((act) => (act.kind === 'answer' ? typedSentences(act.text) : []))
    .filter((one) => isSetback(one) && !known.includes(one));
  return found.length === 0 ? undefined : agentSaid(turn, 'failed-path', found.slice(0, 2), {});
}

/** What was found stands first: it is what the note is called by, and what another session may find again. */
function agentSaid(
  turn: Turn,
  kind: NoteKind,
  sentences: string[],
  { files = [], question }: { files?: string[]; question?: string },
): Proposal {
  const said = turn.acts.filter(
    (act) => act.kind === 'answer' && sentences.some((sentence) => act.text.includes(sentence)),
  );
  const asked = askedLine(turn, question);
  return {
    kind,
    text: `${fitSentences(sentences, maxText)}${asked === '' ? '' : `\n${asked}`}`,
    turn: turn.id,
    at: turn.at,
    evidence: [...(turn.prompt === undefined ? [] : [turn.prompt.event]), ...said.map(({ event }) => event)],
    files,
    concepts: kind === 'fix' ? [cureConcept] : [],
    trust: 1,
  };
}
