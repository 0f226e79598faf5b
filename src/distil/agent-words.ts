import type { NoteKind } from '../domain/note.ts';
import { type Act, cureConcept, type Proposal, type SessionTurns, type Turn } from './distiller.ts';
import { fitSentences, typedSentences } from './sentences.ts';
import {
  isAdvice,
  isCause,
  isChoice,
  isCure,
  isIdle,
  isInquiry,
  isPlainCause,
  isProblem,
  isQuestion,
  isSetback,
  withoutCourtesy,
} from './wording.ts';

/**
 * What the agent found out: errors with the change that cured them, answers to questions about the project, and
 * ways that led nowhere. Nearly all an agent says is an announcement or a courtesy; a sentence is taken when it
 * says why, or what was changed for it, and only where work or a question shows that there was something to say.
 */
const maxText = 500;
const maxProblem = 160;
const maxFiles = 8;

export function fromAgent(session: SessionTurns): Proposal[] {
  const cures = curesOf(session);
  return session.turns.flatMap((turn) => {
    const cured = cures.filter((cure) => cure.turn === turn);
    const fixes = cured.length > 0 ? cured.map((cure) => fixOf(cure)) : [findingOf(turn) ?? answerOf(turn)];
    const known = fixes.flatMap((fix) => fix?.text ?? []).join('\n');
    return [...fixes, setbackOf(turn, known)].filter((proposal) => proposal !== undefined);
  });
}

interface Cure {
  turn: Turn;
  command: Extract<Act, { kind: 'command' }>;
  failure: Extract<Act, { kind: 'command' }>;
  /** What was said from the failure on; up to the next failure, if another command is cured in the same turn. */
  answers: Answer[];
  files: string[];
}

/** Commands that fail to say no, or for what no edit cures: nothing found, different, refused by others. */
const answersNo = /^\s*(?:e?grep|rg|test|\[|ls|diff|cmp|which|git (?:push|diff|grep))(?!\S)/;

/** A command that failed, files that were edited, and the same command again, with success. */
function curesOf({ turns }: SessionTurns): Cure[] {
  const acts = turns.flatMap((turn) => turn.acts.map((act) => ({ turn, act })));
  const failures = new Map<string, number>();
  const cures: Cure[] = [];
  for (const [at, { turn, act }] of acts.entries()) {
    if (act.kind !== 'command') continue;
    const name = sameCommand(act.command);
    const failedAt = failures.get(name);
    if (!act.ok) {
      if (failedAt === undefined && !answersNo.test(act.command)) failures.set(name, at);
      continue;
    }
    if (failedAt === undefined) continue;
    failures.delete(name);
    const between = acts.slice(failedAt, at);
    const files = between.flatMap(({ act: one }) => (one.kind === 'edit' ? [one.path] : []));
    if (files.length === 0) continue;
    const after = acts.slice(at + 1);
    const next = after.findIndex((one) => one.act.kind === 'command' && !one.act.ok);
    const told = [
      ...between,
      ...after.slice(0, next === -1 ? undefined : next).filter((one) => one.turn === turn),
    ];
    cures.push({
      turn,
      command: act,
      failure: acts[failedAt]?.act as Cure['failure'],
      answers: told.flatMap(({ act: one }) => (one.kind === 'answer' ? [one] : [])),
      files: [...new Set(files)].slice(0, maxFiles),
    });
  }
  return cures;
}

/** Numbers of runs and commits differ from one time to the next. */
const sameCommand = (command: string): string =>
  command.trim().replace(/\b(?:\d{3,}|[0-9a-f]{7,40})\b/g, '#');

function fixOf({ turn, command, failure, answers, files }: Cure): Proposal | undefined {
  const telling = tellingIn(answers, (one) => isCause(one) || isCure(one) || isSetback(one));
  // The end of it is where the agent knows.
  const chosen = telling.length > 0 ? telling.slice(-4) : spokenIn(answers).slice(0, 2);
  const error = errorLine(failure.output);
  const lines = [
    problemOf(turn),
    `\`${command.command.slice(0, 120)}\` failed${error === '' ? '' : `: ${error}`}`,
    fitSentences(chosen, maxText),
    `It passed after changes in ${files.join(', ')}.`,
  ];
  return {
    kind: 'fix',
    text: lines.filter((line) => line !== '').join('\n'),
    turn: turn.id,
    at: turn.at,
    evidence: [failure.event, command.event, ...answers.slice(-1).map(({ event }) => event)],
    files,
    concepts: [cureConcept],
    // It quotes what a program printed.
    trust: error === '' ? 1 : 0,
  };
}

const errorWords =
  /\b(?:error|fail(?:ed|ure|ures)?|exception|panic|fatal|expected|cannot|can't|denied|refused|not found|undefined|timed? ?out|killed|unsafe|violations?|invalid|unhealthy|no space)\b|[✗✖×]/i;

/** The first line of an output that says what went wrong. */
function errorLine(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^Exit code \d+$/.test(line));
  const line = lines.find((one) => errorWords.test(one) && /[a-z]{3}.*\s/i.test(one)) ?? lines[0] ?? '';
  return line.slice(0, 200).toWellFormed();
}

function problemOf(turn: Turn): string {
  const sentence = typedSentences(withoutCourtesy(turn.prompt?.text ?? ''))[0] ?? '';
  return fitSentences([sentence], maxProblem);
}

type Answer = Extract<Act, { kind: 'answer' }>;

const spokenIn = (answers: Answer[]): string[] =>
  answers.flatMap(({ text }) => typedSentences(text)).filter((one) => !isIdle(one));

const leaning = /^(?:that|this|these|it|so|which|in short|they|both)\b/i;

/** The sentences that tell, each with the one before when it begins with what points back there. */
function tellingIn(answers: Answer[], tells: (sentence: string) => boolean): string[] {
  const sentences = spokenIn(answers);
  const chosen = new Set<number>();
  for (const [at, sentence] of sentences.entries()) {
    if (!tells(sentence)) continue;
    if (leaning.test(sentence)) {
      for (let back = at - 1; back >= Math.max(0, at - 2); back -= 1) chosen.add(back);
    }
    chosen.add(at);
  }
  return [...chosen].sort((a, b) => a - b).map((at) => sentences[at] as string);
}

/** Without a failing command: edits or a search for a cause, and an answer that names it. */
function findingOf(turn: Turn): Proposal | undefined {
  const hasWork = turn.acts.some(({ kind }) => kind !== 'answer');
  if (!hasWork) return undefined;
  const edits = turn.acts.flatMap((act) => (act.kind === 'edit' ? [act.path] : []));
  const answers = turn.acts.filter((act) => act.kind === 'answer');
  const names = isProblem(turn.prompt?.text ?? '') ? isCause : isPlainCause;
  if (!spokenIn(answers).some(names)) return undefined;
  const chosen = tellingIn(answers, (one) => names(one) || (isCure(one) && edits.length > 0)).slice(-3);
  return agentSaid(
    turn,
    edits.length > 0 ? 'fix' : 'discovery',
    chosen,
    [...new Set(edits)].slice(0, maxFiles),
  );
}

const opinion =
  /\b(?:do you think|would you|your opinion|haiku|joke|are you|can you|could you|should (?:we|i))\b/i;
const codeLike = /`[^`]+`|[\w-]+\/[\w.-]+|\w+\.\w{2,4}\b|\b\w+_\w+\b|\b[a-z]+\d+\w*\b/i;
const minAnswer = 40;

/** A question about the project and what the agent answered. */
function answerOf(turn: Turn): Proposal | undefined {
  const asked = typedSentences(withoutCourtesy(turn.prompt?.text ?? ''));
  const question = asked.findLast(isInquiry);
  if (question === undefined || opinion.test(question) || isChoice(question)) return undefined;
  const answers = turn.acts.filter((act) => act.kind === 'answer');
  const text = answers.at(-1)?.text ?? '';
  // General knowledge needs no memory; what was looked up here, or names something of the project, does.
  const wasLookedUp = turn.acts.some(({ kind }) => kind !== 'answer');
  if (!wasLookedUp && !codeLike.test(question) && !codeLike.test(text)) return undefined;
  const sentences = typedSentences(text).filter((one) => !isIdle(one) && !isQuestion(one) && !isAdvice(one));
  if (sentences.join(' ').length < minAnswer) return undefined;
  return agentSaid(turn, 'discovery', sentences.slice(0, 3), []);
}

function setbackOf(turn: Turn, known: string): Proposal | undefined {
  const found = turn.acts
    .flatMap((act) => (act.kind === 'answer' ? typedSentences(act.text) : []))
    .filter((one) => isSetback(one) && !known.includes(one));
  return found.length === 0 ? undefined : agentSaid(turn, 'failed-path', found.slice(0, 2), []);
}

function agentSaid(turn: Turn, kind: NoteKind, sentences: string[], files: string[]): Proposal {
  const said = turn.acts.filter(
    (act) => act.kind === 'answer' && sentences.some((sentence) => act.text.includes(sentence)),
  );
  const problem = problemOf(turn);
  return {
    kind,
    text: `${problem === '' ? '' : `${problem}\n`}${fitSentences(sentences, maxText)}`,
    turn: turn.id,
    at: turn.at,
    evidence: [...(turn.prompt === undefined ? [] : [turn.prompt.event]), ...said.map(({ event }) => event)],
    files,
    concepts: kind === 'fix' ? [cureConcept] : [],
    trust: 1,
  };
}
