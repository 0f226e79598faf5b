import { isEverywhere, isMutedIn, type Note } from '../../domain/note.ts';
import type { CheckedCode } from '../../drift/current-code.ts';
import { evidenceIn } from '../../recall/evidence.ts';
import type { ObservedCommand } from '../../recall/observed-commands.ts';
import { nothingUnindexed } from '../../recall/unindexed-events.ts';
import type { LogIndex, NoteStore } from '../../store/store.ts';
import { plural } from '../../text/plural.ts';
import { estimateTokens } from '../../text/tokens.ts';
import { commandLines } from './command-lines.ts';
import { everywhereLines } from './everywhere-lines.ts';
import { mayShowNote } from './may-show-note.ts';
import { withoutMuted } from './muted-lines.ts';
import { codeMarks, noMarks } from './prelude-code.ts';
import {
  type Prelude,
  type PreludeLine,
  preludeMaxChars,
  preludeMaxEstimate,
  preludeText,
  withoutOneLine,
} from './prelude-file.ts';
import { failureLines, isRule, openLines, saidNotes, settledLines, settledNotes } from './prelude-notes.ts';
import { briefRecap, type Recap, recapLines } from './recap.ts';
import { revertedLines } from './reverted-lines.ts';

/** Rules hold longer than decisions, so an old rule is not left out for new decisions. */
const maxRules = 25;
const maxDecisions = 50;
const maxSaid = 50;

/** A prompt is told those of these lines that concern it. The prelude has only the first of them. */
const maxTopics = 300;

/**
 * Prose comes only from the user: what they said, wrote or approved, if it still holds. Observations of Backstory are
 * stated as facts in fixed phrases. An empty prelude is better than a wrong one.
 */
export async function composePrelude(
  index: LogIndex,
  notes: NoteStore,
  /** If `code` is undefined, nothing is compared with the code. */
  {
    code,
    now,
    project,
    commands = [],
    recaps = [],
  }: {
    code: CheckedCode | undefined;
    now: number;
    project: string;
    commands?: ObservedCommand[];
    recaps?: Recap[];
  },
): Promise<Required<Pick<Prelude, 'lines' | 'muted' | 'recaps'>> & { topics: PreludeLine[] }> {
  const all = await notes.list();
  const kept = all.filter((note) => !isEverywhere(note) && !isMutedIn(note, project) && mayShowNote(note));
  const evidence = await evidenceIn(index, nothingUnindexed());
  const [holding, said] = [settledNotes(kept), saidNotes(kept)];
  const { rules = [], decisions = [] } = Object.groupBy(holding, (note) =>
    isRule(note) ? 'rules' : 'decisions',
  );
  const settled = [
    ...rules.slice(0, maxRules),
    ...decisions.slice(0, maxDecisions),
    ...said.slice(0, maxSaid),
  ];
  const topics = [...holding, ...said].slice(0, maxTopics);
  const marks =
    code === undefined ? noMarks : await codeMarks([...new Set([...settled, ...topics])], evidence, code);
  const { before } = marks;
  const { told: others, muted } = await withoutMuted(index, [
    ...failureLines(kept),
    ...(code === undefined ? [] : await revertedLines(recaps[0]?.files ?? [], now, evidence)),
    ...commandLines(commands),
    ...openLines(kept),
  ]);
  const { muted: mutedRecaps } = await withoutMuted(
    index,
    recaps.flatMap((recap) => recapLines(recap, 'short').slice(0, 1)),
  );
  const toldRecaps = recaps.filter((recap) => !mutedRecaps.some(({ event }) => event === recap.event));
  // The last line counts the notes that are not shown. With none shown it is longest, so that is what is reserved.
  const added = [
    ...everywhereLines(all),
    ...(await moreLine(index, all, [])),
    ...(toldRecaps.map((recap) => recapLines(recap, 'short')).sort((a, b) => sizeOf(b) - sizeOf(a))[0] ?? []),
  ];
  const linesWith = (hasEarlier: boolean): PreludeLine[] => [
    ...settledLines(settled, all, { before, hasEarlier }),
    ...others,
  ];
  // If not everything fits, what a statement replaced is left out first.
  const full = linesWith(true);
  const shown = fits(full, added) ? full : withinBudget(linesWith(false), added);
  return {
    lines: [...shown, ...(await moreLine(index, all, shown))],
    muted: [...mutedRecaps, ...muted],
    recaps: toldRecaps.map((recap) => ({
      branch: recap.branch,
      checkout: recap.checkout,
      head: recap.head,
      at: recap.at,
      short: recapLines(recap, 'short', { told: shown }),
      beside: recapLines(recap, 'short', { isBeside: true, told: shown }),
      long: recapLines(recap, 'long', { isBeside: true }),
      brief: briefRecap(recap),
    })),
    topics: [...settledLines(topics, all, { before, isDated: true }), ...failureLines(kept, maxTopics)],
  };
}

const sizeOf = (lines: PreludeLine[]): number => lines.reduce((sum, { text }) => sum + text.length, 0);

async function moreLine(index: LogIndex, notes: Note[], shown: PreludeLine[]): Promise<PreludeLine[]> {
  const sessions = index.sessions.count();
  if (sessions === 0) return [];
  const isTold = ({ id }: Note): boolean => shown.some(({ note }) => note === id);
  const others = notes.filter(
    (note) => note.kind !== 'summary' && note.state !== 'archived' && !isTold(note),
  );
  const counts = [
    plural(sessions, 'session'),
    ...(others.length === 0 ? [] : [plural(others.length, shown.length === 0 ? 'note' : 'more note')]),
  ];
  const text = `${counts.join(' and ')} ${sessions + others.length === 1 ? 'is' : 'are'} remembered; ask \`recall\` before you decide something that may have been decided`;
  return [{ section: 'Going on', text, reason: 'seen by Backstory' }];
}

function withinBudget(lines: PreludeLine[], added: PreludeLine[]): PreludeLine[] {
  let kept = lines;
  while (kept.length > 0 && !fits(kept, added)) kept = withoutOneLine(kept);
  return kept;
}

function fits(lines: PreludeLine[], added: PreludeLine[]): boolean {
  const text = preludeText([...added, ...lines], [], 'x-'.repeat(20));
  return text.length <= preludeMaxChars && estimateTokens(text) <= preludeMaxEstimate;
}
