import { isoTime } from '../../base/clock.ts';
import type { Chunk } from '../../domain/chunk.ts';
import { isEverywhere, type Note } from '../../domain/note.ts';
import type { CheckedCode } from '../../drift/current-code.ts';
import { evidenceIn } from '../../recall/evidence.ts';
import { nothingUnindexed } from '../../recall/unindexed-events.ts';
import type { LogIndex, NoteStore } from '../../store/store.ts';
import { plural } from '../../text/plural.ts';
import { safeName } from '../../text/safe-name.ts';
import { estimateTokens } from '../../text/tokens.ts';
import { hasUnexplainedWord } from '../redact/random-word.ts';
import { everywhereLines } from './everywhere-lines.ts';
import { codeMarks, noMarks, revertedLines } from './prelude-code.ts';
import {
  type PreludeLine,
  preludeMaxChars,
  preludeMaxTokens,
  preludeText,
  sinceMaxChars,
  sinceMaxTokens,
} from './prelude-file.ts';
import { failureLines, openLines, settledLines, settledNotes } from './prelude-notes.ts';
import { bareCommand } from './short-command.ts';

/** Reserve in the token budget: joined texts may have slightly more tokens than the sum of their parts. */
const joinTokens = 30;
const maxSettled = 24;
const maxFiles = 6;
const maxFailing = 2;

/**
 * Chooses the lines of the prelude, the text that every new session receives. Prose comes only from the user: what they
 * said, wrote or approved, if it still holds. Observations of Backstory are stated as facts in fixed phrases. An empty
 * prelude is better than a wrong one.
 */
export async function composePrelude(
  index: LogIndex,
  notes: NoteStore,
  /** If `code` is undefined, nothing is compared with the code. */
  { code, now }: { code: CheckedCode | undefined; now: number },
): Promise<PreludeLine[]> {
  const all = await notes.list();
  const kept = all.filter((note) => !isEverywhere(note) && mayShowNote(note));
  const evidence = await evidenceIn(index, nothingUnindexed());
  const settled = settledNotes(kept).slice(0, maxSettled);
  const marks = code === undefined ? noMarks : await codeMarks(settled, [], evidence, code);
  const last = await lastSession(index);
  const lines = [
    ...settledLines(settled, all, marks.before),
    ...failureLines(kept),
    ...(code === undefined ? [] : await revertedLines(last.files, now, evidence)),
    ...openLines(kept),
    ...last.lines,
    ...(settled.length === 0 ? [] : marks.lines),
  ];
  // The last line counts the notes that are not shown. With none shown it is longest, so that is what is reserved.
  const shown = withinBudget(lines, [...everywhereLines(all), ...(await moreLine(index, all, []))]);
  return [...shown, ...(await moreLine(index, all, shown))];
}

/** Text with a word that may be a secret is not injected, unless the user wrote it as a note or pinned it. */
const mayShowNote = ({ pinned, derivedFrom, text }: Note): boolean =>
  pinned || derivedFrom.length === 0 || !hasUnexplainedWord(text);

const day = (at: number): string => isoTime(at).slice(0, 10);
const idMark = (id: string): string => `[${id.slice(0, 8)}]`;

/** What the newest session changed, and which check failed at its end. */
async function lastSession(index: LogIndex): Promise<{ lines: PreludeLine[]; files: string[] }> {
  const [newest] = await index.list({ kinds: ['prompt'], minTrust: 2 }, 1);
  if (newest === undefined) return { lines: [], files: [] };
  const { agentSession } = newest;
  const edits = await index.list({ kinds: ['edit'], agentSession }, 100);
  const files = [...new Set(edits.flatMap(({ paths }) => paths))];
  const where = newest.branch === '' ? '' : ` on ${safeName('branch', newest.branch)}`;
  const names = files.slice(0, maxFiles).map((file) => safeName('file', file));
  const more = files.length > maxFiles ? ` and ${files.length - maxFiles} more` : '';
  const edited: PreludeLine[] =
    files.length === 0
      ? []
      : [
          {
            section: 'Going on',
            text: `the last session, ${day(newest.at)}${where}, edited ${names.join(', ')}${more}`,
            reason: 'seen by Backstory',
          },
        ];
  return { lines: [...edited, ...(await failingChecks(index, agentSession))], files };
}

/**
 * Commands that failed when the newest session last ran them, and that passed at some time before: checks, not
 * attempts.
 */
async function failingChecks(index: LogIndex, agentSession: string): Promise<PreludeLine[]> {
  const latest = new Map<string, Chunk>();
  const hasPassed = new Set<string>();
  for (const chunk of await index.list({ kinds: ['command'] }, 400)) {
    const command = bareCommand(chunk.text);
    if (command === '') continue;
    if (!latest.has(command)) latest.set(command, chunk);
    if (chunk.isFailed !== true) hasPassed.add(command);
  }
  return [...latest]
    .filter(([command, chunk]) => chunk.isFailed === true && hasPassed.has(command))
    .filter(([, chunk]) => chunk.agentSession === agentSession)
    .slice(0, maxFailing)
    .map(([command, chunk]) => ({
      section: 'Unfinished',
      text: `\`${command}\` failed when last run, ${day(chunk.at)} ${idMark(chunk.id)}`,
      reason: 'seen by Backstory',
    }));
}

/** Says how much more there is. */
async function moreLine(index: LogIndex, notes: Note[], shown: PreludeLine[]): Promise<PreludeLine[]> {
  const sessions = await index.countAgentSessions();
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

/**
 * Drops the last line of the longest section until everything fits, together with the lines that are added later.
 */
function withinBudget(lines: PreludeLine[], added: PreludeLine[]): PreludeLine[] {
  const kept = [...lines];
  const fits = () => {
    const text = preludeText([...added, ...kept], [], 'x-'.repeat(20));
    return (
      text.length <= preludeMaxChars - sinceMaxChars &&
      estimateTokens(text) <= preludeMaxTokens - sinceMaxTokens - joinTokens
    );
  };
  while (kept.length > 0 && !fits()) {
    const size = (section: string) => kept.filter((line) => line.section === section).length;
    const longest = kept.reduce((worst, line) => (size(line.section) > size(worst.section) ? line : worst));
    kept.splice(
      kept.findLastIndex(({ section }) => section === longest.section),
      1,
    );
  }
  return kept;
}
