import { isoTime } from '../../base/clock.ts';
import type { Chunk } from '../../domain/chunk.ts';
import { isEverywhere, type Note } from '../../domain/note.ts';
import type { CheckedCode } from '../../drift/current-code.ts';
import { evidenceIn } from '../../recall/evidence.ts';
import { nothingUnindexed } from '../../recall/unindexed-events.ts';
import type { LogIndex, NoteStore } from '../../store/store.ts';
import { isFailureReport } from '../../text/failure-report.ts';
import { harmlessLine } from '../../text/fence.ts';
import { safeName } from '../../text/safe-name.ts';
import { estimateTokens } from '../../text/tokens.ts';
import { distilMark } from '../notes/distil-mark.ts';
import { hasUnexplainedWord } from '../redact/random-word.ts';
import { everywhereLines } from './everywhere-lines.ts';
import { type CodeMarks, codeMarks, noMarks, revertedLines } from './prelude-code.ts';
import {
  type PreludeLine,
  preludeMaxChars,
  preludeMaxTokens,
  preludeText,
  sinceMaxChars,
  sinceMaxTokens,
} from './prelude-file.ts';
import { failureLines, openEndLines, promptReason, settledLines, settledNotes } from './prelude-notes.ts';
import { bareCommand } from './short-command.ts';

/** Reserve in the token budget: joined texts may have slightly more tokens than the sum of their parts. */
const joinTokens = 30;
const maxLineLength = 300;
const maxDecisions = 24;
const maxAgentStated = 3;
const maxSessions = 3;
const promptsPerSession = 2;
const filesPerSession = 6;
const maxFailing = 4;
const maxFailureReports = 3;

/**
 * Chooses the lines of the prelude, the text that every new session receives. Prose comes only from the user: their
 * prompts, and notes that they wrote or approved. Observations of Backstory are stated as facts in fixed phrases. The
 * one exception is a decision that an agent stated in a turn without tool output; it is labelled.
 */
export async function composePrelude(
  index: LogIndex,
  notes: NoteStore,
  /** If `code` is undefined, nothing is compared with the code. */
  { code, now }: { code: CheckedCode | undefined; now: number },
): Promise<PreludeLine[]> {
  const all = await notes.list();
  const kept = all.filter((note) => !isEverywhere(note) && mayShowNote(note));
  const isFresh = await notDistilled(index);
  const userDecisions = distinct(
    (await index.list({ kinds: ['decision', 'convention'], source: 'event', minTrust: 2 }, 60)).filter(
      (chunk) => isFresh(chunk) && mayShowChunk(chunk),
    ),
  );
  const stated = await agentStated(index);
  const evidence = await evidenceIn(index, nothingUnindexed());
  const settled = settledNotes(kept).slice(0, maxDecisions);
  const decisions = [...userDecisions.slice(0, maxDecisions), ...stated];
  const marks = code === undefined ? noMarks : await codeMarks(settled, decisions, evidence, code);
  const { lines: current, files } = await goingOn(index, kept);
  const rows = await index.events(userDecisions.map(({ sourceId }) => sourceId));
  const channel = ({ sourceId }: Chunk): string =>
    rows.get(sourceId)?.kind === 'commit' ? 'a commit message of yours' : promptReason;
  const lines = [
    ...decided(kept, { own: userDecisions, channel }, stated, marks),
    ...failureLines(kept),
    ...(await failureReports(index, isFresh)),
    ...(code === undefined ? [] : await revertedLines(files, now, evidence)),
    ...current,
    ...marks.lines,
    ...openEndLines(kept),
    ...(await unfinished(index)),
  ];
  return withinBudget(lines, everywhereLines(all));
}

/** Text with a word that may be a secret is not injected, unless the user wrote it as a note or pinned it. */
const mayShowChunk = ({ text }: Chunk): boolean => !hasUnexplainedWord(text);
const mayShowNote = ({ pinned, derivedFrom, text }: Note): boolean =>
  pinned || derivedFrom.length === 0 || !hasUnexplainedWord(text);

type Fresh = (chunk: Chunk) => boolean;

/**
 * Excludes prompts of sessions from which notes were already extracted. Their statements are shown as notes; if the
 * user removed such a note, its statement must not return this way.
 */
async function notDistilled(index: LogIndex): Promise<Fresh> {
  const marks = await index.transcriptStamps();
  return ({ agentSession, source }) => source === 'event' && !marks.has(distilMark(agentSession));
}

const day = (at: number): string => isoTime(at).slice(0, 10);
const minute = (at: number): string => isoTime(at).slice(0, 16).replace('T', ' ');
const idMark = (id: string): string => `[${id.slice(0, 8)}]`;

interface OwnWords {
  own: Chunk[];
  /** Returns where the user said the text of a chunk, for `prelude --why`. */
  channel(chunk: Chunk): string;
}

function decided(
  notes: Note[],
  { own, channel }: OwnWords,
  stated: Chunk[],
  { before }: CodeMarks,
): PreludeLine[] {
  const section = 'Decided';
  const statements = [
    ...own.map((chunk) => ({
      section,
      text: `${day(chunk.at)} ${before(chunk.id)}you said: ${harmlessLine(chunk.text, maxLineLength)} ${idMark(chunk.id)}`,
      reason: channel(chunk),
    })),
    ...stated.map((chunk) => ({
      section,
      text: `${day(chunk.at)} ${before(chunk.id)}agent-stated, unreviewed: ${harmlessLine(chunk.text, maxLineLength)} ${idMark(chunk.id)}`,
      reason: 'stated by the agent in a turn without tool output',
    })),
  ];
  return [...settledLines(notes, before), ...statements].slice(0, maxDecisions) as PreludeLine[];
}

async function agentStated(index: LogIndex): Promise<Chunk[]> {
  const candidates = distinct(
    (await index.list({ kinds: ['decision'], source: 'event' }, 60)).filter(
      (chunk) => chunk.trust === 1 && mayShowChunk(chunk),
    ),
  );
  const touched = await index.turnsWithTools(candidates.map(({ turn }) => turn));
  // Hooks do not report every tool call. Only a turn that was read from a transcript provably had no tool output.
  const rows = await index.events(candidates.map(({ sourceId }) => sourceId));
  const hasTranscript = ({ sourceId }: Chunk) => (rows.get(sourceId)?.sourceFile ?? '') !== '';
  return candidates
    .filter((chunk) => chunk.turn !== '' && !touched.has(chunk.turn) && hasTranscript(chunk))
    .slice(0, maxAgentStated);
}

/** Keeps the newest of equal texts. */
function distinct(chunks: Chunk[]): Chunk[] {
  const seen = new Set<string>();
  return chunks.filter(({ text }) => {
    const key = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
    return !seen.has(key) && seen.add(key);
  });
}

async function goingOn(index: LogIndex, notes: Note[]): Promise<{ lines: PreludeLine[]; files: string[] }> {
  // A prompt that became a note is shown as that note, not as recent work.
  const noted = notes
    .filter(({ kind, trust }) => kind !== 'summary' && trust >= 2)
    .flatMap(({ derivedFrom }) => derivedFrom.slice(0, 1));
  // A note may come from the hook's copy of a prompt, which the transcript's copy has replaced since. Both copies have
  // the same turn, so prompts are compared by turn too.
  const turns = [...(await index.events(noted)).values()]
    .map(({ turn }) => turn)
    .filter((turn) => turn !== '');
  const isNoted = ({ sourceId, turn }: Chunk): boolean => noted.includes(sourceId) || turns.includes(turn);
  const all = await index.list({ kinds: ['prompt'], minTrust: 2 }, 200);
  const prompts = all.filter((chunk) => !isNoted(chunk) && mayShowChunk(chunk));
  const sessions = [...new Set(all.map(({ agentSession }) => agentSession))].slice(0, maxSessions);
  const lines: PreludeLine[] = [];
  const worked = new Set<string>();
  for (const agentSession of sessions) {
    const shownPrompts = distinct(prompts.filter((chunk) => chunk.agentSession === agentSession)).slice(
      0,
      promptsPerSession,
    );
    for (const chunk of shownPrompts.reverse()) {
      const where = chunk.branch === '' ? '' : ` on ${safeName('branch', chunk.branch)}`;
      const text = `${minute(chunk.at)}${where} you asked: ${harmlessLine(chunk.text, maxLineLength)} ${idMark(chunk.id)}`;
      lines.push({ section: 'Going on', text, reason: promptReason });
    }
    const edits = await index.list({ kinds: ['edit'], agentSession }, 100);
    const files = [...new Set(edits.flatMap(({ paths }) => paths))].slice(0, filesPerSession);
    for (const file of files) worked.add(file);
    if (files.length > 0) {
      // If the prompts of the session are shown elsewhere as decisions, no line above introduces the session, so "in
      // that session" would refer to nothing.
      const when =
        shownPrompts.length > 0 ? 'in that session' : `${minute(edits[0]?.at ?? 0)} an earlier session`;
      const text = `${when} edited ${files.map((file) => safeName('file', file)).join(', ')}`;
      lines.push({ section: 'Going on', text, reason: 'seen by Backstory' });
    }
  }
  return { lines, files: [...worked] };
}

/** Lines about commands whose last run failed. */
async function unfinished(index: LogIndex): Promise<PreludeLine[]> {
  const runs = await index.list({ kinds: ['command'] }, 100);
  const latest = new Map<string, Chunk>();
  for (const chunk of runs) {
    const command = bareCommand(chunk.text);
    if (command !== '' && !latest.has(command)) latest.set(command, chunk);
  }
  const failing = [...latest].filter(([, chunk]) => chunk.isFailed === true).slice(0, maxFailing);
  return failing.map(([command, chunk]) => ({
    section: 'Unfinished',
    text: `\`${command}\` failed when last run, ${minute(chunk.at)} ${idMark(chunk.id)}`,
    reason: 'seen by Backstory',
  }));
}

async function failureReports(index: LogIndex, isFresh: Fresh): Promise<PreludeLine[]> {
  const prompts = await index.list({ kinds: ['prompt'], minTrust: 2 }, 200);
  return distinct(
    prompts.filter((chunk) => isFresh(chunk) && isFailureReport(chunk.text) && mayShowChunk(chunk)),
  )
    .slice(0, maxFailureReports)
    .map((chunk) => ({
      section: 'Failed before',
      text: `${day(chunk.at)} you said: ${harmlessLine(chunk.text, 200)} ${idMark(chunk.id)}`,
      reason: promptReason,
    }));
}

/**
 * Drops the last line of the longest section until everything fits, together with the lines that are added when the
 * prelude is read.
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
