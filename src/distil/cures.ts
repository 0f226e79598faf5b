import { askedMark } from '../text/note-text.ts';
import { fitSentences, typedSentences } from '../text/sentences.ts';
import { type Act, cureConcept, type Proposal, type SessionTurns, type Turn } from './distiller.ts';

/**
 * A command that failed, files that were edited, and the same command again, which passed. This was observed, so it
 * needs nobody's words.
 */
export interface Cure {
  /** The turn in which it passed. */
  turn: Turn;
  /** The turns from the one in which it failed. */
  turns: Turn[];
  command: Extract<Act, { kind: 'command' }>;
  failure: Extract<Act, { kind: 'command' }>;
  files: string[];
}

/** Commands whose failure is an answer, or cannot be cured by an edit: nothing found, files differ, push refused. */
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
    cures.push({
      turn,
      turns: turns.slice(turns.indexOf(acts[failedAt]?.turn as Turn), turns.indexOf(turn) + 1),
      command: act,
      failure: acts[failedAt]?.act as Cure['failure'],
      files: [...new Set(files)].slice(0, maxFiles),
    });
  }
  return cures;
}

/** Ignores numbers of runs and commits, which differ each time. */
const sameCommand = (command: string): string =>
  command.trim().replace(/\b(?:\d{3,}|[0-9a-f]{7,40})\b/g, '#');

const maxFiles = 8;

export function fixOf({ turn, turns, command, failure, files }: Cure): Proposal {
  const error = errorLine(failure.output);
  const asked = typedSentences((turns[0] ?? turn).prompt?.text ?? '')[0] ?? '';
  const lines = [
    `\`${command.command.slice(0, 120)}\` failed${error === '' ? '' : `: ${error}`}`,
    `It passed after changes in ${files.join(', ')}.`,
    asked === '' ? '' : `${askedMark}${fitSentences([asked], maxAsked)}`,
  ];
  return {
    kind: 'fix',
    text: lines.filter((line) => line !== '').join('\n'),
    turn: turn.id,
    at: turn.at,
    evidence: [failure.event, command.event],
    files,
    concepts: [cureConcept],
    // It quotes what a program printed.
    trust: error === '' ? 1 : 0,
  };
}

const maxAsked = 160;

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
