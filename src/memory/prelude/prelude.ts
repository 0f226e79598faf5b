import { isoTime } from '../../base/clock.ts';
import type { Chunk } from '../../domain/chunk.ts';
import type { Note } from '../../domain/note.ts';
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
import { type CodeMarks, codeMarks, noMarks, takenBackLines } from './prelude-code.ts';
import {
  type PreludeLine,
  preludeMaxChars,
  preludeMaxTokens,
  preludeText,
  sinceMaxChars,
  sinceMaxTokens,
} from './prelude-file.ts';
import {
  aPrompt,
  failureLines,
  openEndLines,
  settledLines,
  settledNotes,
  themeLines,
} from './prelude-notes.ts';
import { bareCommand } from './short-command.ts';

/**
 * Chooses what every new session is told. Prose comes only from the user: their prompts, and notes they wrote
 * or approved. What we saw ourselves is told as facts in our words. The one exception, a decision the agent
 * stated in a turn without tool output, is labelled.
 */
/** Two texts put together may count a little more than each by itself. */
const joinTokens = 30;
const lineLength = 300;
const maxDecisions = 24;
const beforeThemes = 14;
const maxAgentStated = 3;
const maxSessions = 3;
const promptsPerSession = 2;
const filesPerSession = 6;
const maxFailing = 4;
const maxSetbacks = 3;

export async function composePrelude(
  index: LogIndex,
  notes: NoteStore,
  /** Without code nothing is compared with it. */
  { code, now }: { code: CheckedCode | undefined; now: number },
): Promise<PreludeLine[]> {
  const kept = (await notes.list()).filter(isTellableNote);
  const isFresh = await notDistilled(index);
  const said = distinct(
    (await index.list({ kinds: ['decision', 'convention'], source: 'event', minTrust: 2 }, 60)).filter(
      (chunk) => isFresh(chunk) && isTellableChunk(chunk),
    ),
  );
  const stated = await agentStated(index);
  const evidence = await evidenceIn(index, nothingUnindexed());
  const settled = settledNotes(kept).slice(0, maxDecisions);
  const spoken = [...said.slice(0, maxDecisions), ...stated];
  const marks = code === undefined ? noMarks : await codeMarks(settled, spoken, evidence, code);
  const { lines: current, files } = await goingOn(index, kept);
  const rows = await index.events(said.map(({ sourceId }) => sourceId));
  const channel = ({ sourceId }: Chunk): string =>
    rows.get(sourceId)?.kind === 'commit' ? 'a commit message of yours' : aPrompt;
  const lines = [
    ...decided(kept, { own: said, channel }, stated, marks),
    ...failureLines(kept),
    ...(await setbacks(index, isFresh)),
    ...(code === undefined ? [] : await takenBackLines(files, now, evidence)),
    ...current,
    ...marks.lines,
    ...openEndLines(kept),
    ...(await unfinished(index)),
  ];
  return withinBudget(lines);
}

/** A secret that no rule knows is told to nobody; what the user wrote down or pinned is meant to be told. */
const isTellableChunk = ({ text }: Chunk): boolean => !hasUnexplainedWord(text);
const isTellableNote = ({ pinned, derivedFrom, text }: Note): boolean =>
  pinned || derivedFrom.length === 0 || !hasUnexplainedWord(text);

type Fresh = (chunk: Chunk) => boolean;

/** What was said in a session that has been distilled is in its notes, unless somebody took it out of them. */
async function notDistilled(index: LogIndex): Promise<Fresh> {
  const marks = await index.transcriptStamps();
  return ({ agentSession, source }) => source === 'event' && !marks.has(distilMark(agentSession));
}

const day = (at: number): string => isoTime(at).slice(0, 10);
const minute = (at: number): string => isoTime(at).slice(0, 16).replace('T', ' ');
const idMark = (id: string): string => `[${id.slice(0, 8)}]`;

interface OwnWords {
  own: Chunk[];
  /** Where they said it, for `prelude --why`. */
  channel(chunk: Chunk): string;
}

function decided(
  notes: Note[],
  { own, channel }: OwnWords,
  stated: Chunk[],
  { before }: CodeMarks,
): PreludeLine[] {
  const section = 'Decided';
  const said = [
    ...own.map((chunk) => ({
      section,
      text: `${day(chunk.at)} ${before(chunk.id)}you said: ${harmlessLine(chunk.text, lineLength)} ${idMark(chunk.id)}`,
      reason: channel(chunk),
    })),
    ...stated.map((chunk) => ({
      section,
      text: `${day(chunk.at)} ${before(chunk.id)}agent-stated, unreviewed: ${harmlessLine(chunk.text, lineLength)} ${idMark(chunk.id)}`,
      reason: 'stated by the agent in a turn without tool output',
    })),
  ];
  const lines = [...settledLines(notes, before), ...said] as PreludeLine[];
  const first = lines.slice(0, beforeThemes);
  // In the middle: a prelude that is too long gives up the last lines of a section.
  return [...first, ...themeLines(notes, first), ...lines.slice(beforeThemes)].slice(0, maxDecisions);
}

async function agentStated(index: LogIndex): Promise<Chunk[]> {
  const candidates = distinct(
    (await index.list({ kinds: ['decision'], source: 'event' }, 60)).filter(
      (chunk) => chunk.trust === 1 && isTellableChunk(chunk),
    ),
  );
  const touched = await index.turnsWithTools(candidates.map(({ turn }) => turn));
  // Hooks do not report every tool, so until the transcript has told the turn nobody knows that it held none.
  const rows = await index.events(candidates.map(({ sourceId }) => sourceId));
  const isTold = ({ sourceId }: Chunk) => (rows.get(sourceId)?.sourceFile ?? '') !== '';
  return candidates
    .filter((chunk) => chunk.turn !== '' && !touched.has(chunk.turn) && isTold(chunk))
    .slice(0, maxAgentStated);
}

/** The newest of what says the same. */
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
  // What became a note is told as one for as long as it holds, and not as news.
  const noted = notes
    .filter(({ kind, trust }) => kind !== 'summary' && trust >= 2)
    .flatMap(({ derivedFrom }) => derivedFrom.slice(0, 1));
  // The transcript's copy of a prompt replaces the hook's copy, from which the note may be; both have the same turn.
  const turns = [...(await index.events(noted)).values()]
    .map(({ turn }) => turn)
    .filter((turn) => turn !== '');
  const isNoted = ({ sourceId, turn }: Chunk): boolean => noted.includes(sourceId) || turns.includes(turn);
  const all = await index.list({ kinds: ['prompt'], minTrust: 2 }, 200);
  const prompts = all.filter((chunk) => !isNoted(chunk) && isTellableChunk(chunk));
  const sessions = [...new Set(all.map(({ agentSession }) => agentSession))].slice(0, maxSessions);
  const lines: PreludeLine[] = [];
  const worked = new Set<string>();
  for (const agentSession of sessions) {
    const asked = distinct(prompts.filter((chunk) => chunk.agentSession === agentSession)).slice(
      0,
      promptsPerSession,
    );
    for (const chunk of asked.reverse()) {
      const where = chunk.branch === '' ? '' : ` on ${safeName('branch', chunk.branch)}`;
      const text = `${minute(chunk.at)}${where} you asked: ${harmlessLine(chunk.text, lineLength)} ${idMark(chunk.id)}`;
      lines.push({ section: 'Going on', text, reason: aPrompt });
    }
    const edits = await index.list({ kinds: ['edit'], agentSession }, 100);
    const files = [...new Set(edits.flatMap(({ paths }) => paths))].slice(0, filesPerSession);
    for (const file of files) worked.add(file);
    if (files.length > 0) {
      // What it was asked may stand above as a decision; then there is no line that "that session" could mean.
      const when = asked.length > 0 ? 'in that session' : `${minute(edits[0]?.at ?? 0)} an earlier session`;
      const text = `${when} edited ${files.map((file) => safeName('file', file)).join(', ')}`;
      lines.push({ section: 'Going on', text, reason: 'seen by Backstory' });
    }
  }
  return { lines, files: [...worked] };
}

/** Commands that failed when they were last run. */
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

async function setbacks(index: LogIndex, isFresh: Fresh): Promise<PreludeLine[]> {
  const prompts = await index.list({ kinds: ['prompt'], minTrust: 2 }, 200);
  return distinct(
    prompts.filter((chunk) => isFresh(chunk) && isFailureReport(chunk.text) && isTellableChunk(chunk)),
  )
    .slice(0, maxSetbacks)
    .map((chunk) => ({
      section: 'Failed before',
      text: `${day(chunk.at)} you said: ${harmlessLine(chunk.text, 200)} ${idMark(chunk.id)}`,
      reason: aPrompt,
    }));
}

/** Sections give up their last lines in turn, the longest section first, until all of it fits. */
function withinBudget(lines: PreludeLine[]): PreludeLine[] {
  const kept = [...lines];
  const fits = () => {
    const text = preludeText(kept, [], 'x-'.repeat(20));
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
