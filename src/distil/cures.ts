import { type Answer, askedLine, maxFiles, maxText, spokenIn, tellingIn } from './agent-sentences.ts';
import { type Act, cureConcept, type Proposal, type SessionTurns, type Turn } from './distiller.ts';
import { fitSentences } from './sentences.ts';
import { isCause, isCure, isProblem, isSetback } from './wording.ts';

/**
 * A command that failed, files that were edited, and the same command again, with success: seen, whatever anybody
 * says of it. What was found comes first, because that is what the note is known by later.
 */
export interface Cure {
  /** The one in which it passed. */
  turn: Turn;
  /** From the one in which it failed on. */
  turns: Turn[];
  command: Extract<Act, { kind: 'command' }>;
  failure: Extract<Act, { kind: 'command' }>;
  /** What was said from the failure on; up to the next failure, if another command is cured in the same turn. */
  answers: Answer[];
  files: string[];
}

/** Commands that fail to say no, or for what no edit cures: nothing found, different, refused by others. */
const answersNo = /^\s*(?:e?grep|rg|test|\[|ls|diff|cmp|which|git (?:push|diff|grep))(?!\S)/;

export function curesOf({ turns }: SessionTurns): Cure[] {
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
      turns: turns.slice(turns.indexOf(acts[failedAt]?.turn as Turn), turns.indexOf(turn) + 1),
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

export function fixOf({ turn, turns, command, failure, answers, files }: Cure): Proposal {
  const telling = tellingIn(answers, (one) => isCause(one) || isCure(one) || isSetback(one));
  // The end of it is where the agent knows.
  const chosen = telling.length > 0 ? telling.slice(-4) : spokenIn(answers).slice(0, 2);
  const error = errorLine(failure.output);
  // Of several prompts the one that names the trouble; the last may be about the next thing already.
  const asker = turns.find(({ prompt }) => isProblem(prompt?.text ?? '')) ?? turns[0] ?? turn;
  const lines = [
    fitSentences(chosen, maxText),
    `\`${command.command.slice(0, 120)}\` failed${error === '' ? '' : `: ${error}`}`,
    `It passed after changes in ${files.join(', ')}.`,
    askedLine(asker),
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
