import { isoTime } from '../base/clock.ts';
import type { Chunk } from '../domain/chunk.ts';
import type { Note } from '../domain/note.ts';
import type { LogIndex, NoteStore } from '../store/store.ts';
import { harmlessLine } from '../text/fence.ts';
import { isSetback } from '../text/setback.ts';
import { estimateTokens } from '../text/tokens.ts';
import {
  type PreludeLine,
  preludeMaxChars,
  preludeMaxTokens,
  preludeText,
  sinceMaxChars,
  sinceMaxTokens,
} from './prelude-file.ts';

/**
 * Chooses what every new session is told. Prose comes only from the user: their prompts, and notes they wrote
 * or approved. What we saw ourselves is told as facts in our words. The one exception, a decision the agent
 * stated in a turn without tool output, is labelled.
 */
/** Two texts put together may count a little more than each by itself. */
const joinTokens = 30;
const lineLength = 300;
const maxDecisions = 14;
const maxAgentStated = 3;
const maxSessions = 3;
const promptsPerSession = 2;
const filesPerSession = 6;
const maxFailing = 4;
const maxSetbacks = 3;

export async function composePrelude(index: LogIndex, notes: NoteStore): Promise<PreludeLine[]> {
  const lines = [
    ...(await decided(index, await notes.list())),
    ...(await setbacks(index)),
    ...(await goingOn(index)),
    ...(await unfinished(index)),
  ];
  return withinBudget(lines);
}

const day = (at: number): string => isoTime(at).slice(0, 10);
const minute = (at: number): string => isoTime(at).slice(0, 16).replace('T', ' ');
const idMark = (id: string): string => `[${id.slice(0, 8)}]`;

async function decided(index: LogIndex, notes: Note[]): Promise<PreludeLine[]> {
  const section = 'Decided';
  const standing = notes
    .filter((note) => note.state === 'active' && note.trust >= 2)
    .filter((note) => note.pinned || ['decision', 'convention', 'gotcha', 'knowledge'].includes(note.kind))
    .sort((a, b) => Number(b.pinned) - Number(a.pinned) || (a.updated < b.updated ? 1 : -1))
    .map((note) => ({
      section,
      text: `${note.updated.slice(0, 10)} ${harmlessLine(note.text, lineLength)} ${idMark(note.id.replaceAll('-', '').slice(-8))}`,
      reason: note.pinned ? 'a note you pinned' : 'a note you wrote or approved',
    }));
  const own = await index.list({ kinds: ['decision', 'convention'], source: 'event', minTrust: 2 }, 60);
  const stated = await agentStated(index);
  const said = [
    ...distinct(own).map((chunk) => ({
      section,
      text: `${day(chunk.at)} you said: ${harmlessLine(chunk.text, lineLength)} ${idMark(chunk.id)}`,
      reason: 'your own words in a prompt',
    })),
    ...stated.map((chunk) => ({
      section,
      text: `${day(chunk.at)} agent-stated, unreviewed: ${harmlessLine(chunk.text, lineLength)} ${idMark(chunk.id)}`,
      reason: 'stated by the agent in a turn without tool output',
    })),
  ];
  return [...standing, ...said].slice(0, maxDecisions) as PreludeLine[];
}

async function agentStated(index: LogIndex): Promise<Chunk[]> {
  const candidates = distinct(
    (await index.list({ kinds: ['decision'], source: 'event' }, 60)).filter(({ trust }) => trust === 1),
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

async function goingOn(index: LogIndex): Promise<PreludeLine[]> {
  const prompts = await index.list({ kinds: ['prompt'], minTrust: 2 }, 200);
  const sessions = [...new Set(prompts.map(({ agentSession }) => agentSession))].slice(0, maxSessions);
  const lines: PreludeLine[] = [];
  for (const agentSession of sessions) {
    const asked = distinct(prompts.filter((chunk) => chunk.agentSession === agentSession)).slice(
      0,
      promptsPerSession,
    );
    for (const chunk of asked.reverse()) {
      const where = chunk.branch === '' ? '' : ` on ${harmlessLine(chunk.branch, 60)}`;
      const text = `${minute(chunk.at)}${where} you asked: ${harmlessLine(chunk.text, lineLength)} ${idMark(chunk.id)}`;
      lines.push({ section: 'Going on', text, reason: 'your own words in a prompt' });
    }
    const edits = await index.list({ kinds: ['edit'], agentSession }, 100);
    const files = [...new Set(edits.flatMap(({ paths }) => paths))].slice(0, filesPerSession);
    if (files.length > 0) {
      const text = `in that session edited ${files.map((file) => harmlessLine(file, 100)).join(', ')}`;
      lines.push({ section: 'Going on', text, reason: 'seen by Backstory' });
    }
  }
  return lines;
}

/** Commands that failed when they were last run. */
async function unfinished(index: LogIndex): Promise<PreludeLine[]> {
  const runs = await index.list({ kinds: ['command'] }, 100);
  const latest = new Map<string, Chunk>();
  for (const chunk of runs) {
    const command = bareCommand(chunk.text);
    if (command !== '' && !latest.has(command)) latest.set(command, chunk);
  }
  const failing = [...latest].filter(([, chunk]) => chunk.text.startsWith('failed')).slice(0, maxFailing);
  return failing.map(([command, chunk]) => ({
    section: 'Unfinished',
    text: `\`${command}\` failed when last run, ${minute(chunk.at)} ${idMark(chunk.id)}`,
    reason: 'seen by Backstory',
  }));
}

/**
 * A command line as a fact: the program, what it was told to do in at most two words, options and paths. It
 * was written by an agent that may have read anything, so no prose may pass: neither quoted nor bare words.
 */
function bareCommand(text: string): string {
  const line = /^(?:failed[^\n]*\n)?\$ (.*)/.exec(text)?.[1] ?? '';
  const parts = line
    .replace(/"[^"]*"?|'[^']*'?/g, ' … ')
    .split(/[;|&<>()`#]/)
    .map((part) => part.trim().replace(/^(?:\w+=\S*\s+)+/, ''));
  const [program = '', ...words] = (parts.find((part) => part !== '' && !/^cd\b/.test(part)) ?? '').split(
    /\s+/,
  );
  if (program === '') return '';
  if (!plainWord.test(program) && !pathWord.test(program)) return '…';
  const kept = [program];
  let isTask = !['echo', 'printf'].includes(program);
  for (const word of words) {
    const isFact = optionWord.test(word) || pathWord.test(word);
    if (isFact || (isTask && plainWord.test(word) && kept.filter((one) => plainWord.test(one)).length < 3)) {
      kept.push(word);
    } else if (kept.at(-1) !== '…') {
      kept.push('…');
      isTask = false;
    }
  }
  return harmlessLine(kept.join(' '), 60);
}

const plainWord = /^[a-z][a-z0-9:_+-]{0,19}$/;
const optionWord = /^--?(?:\w{1,20}(?:-\w{1,12}){0,2})?$/;
const pathWord = /^(?=.*[./])\/?[\w@.-]+(?:\/[\w@.-]+)*\/?$/;

async function setbacks(index: LogIndex): Promise<PreludeLine[]> {
  const prompts = await index.list({ kinds: ['prompt'], minTrust: 2 }, 200);
  return distinct(prompts.filter(({ text }) => isSetback(text)))
    .slice(0, maxSetbacks)
    .map((chunk) => ({
      section: 'Failed before',
      text: `${day(chunk.at)} you said: ${harmlessLine(chunk.text, 200)} ${idMark(chunk.id)}`,
      reason: 'your own words in a prompt',
    }));
}

/** Sections give up their last lines in turn, the longest section first, until all of it fits. */
function withinBudget(lines: PreludeLine[]): PreludeLine[] {
  const kept = [...lines];
  const fits = () => {
    const text = preludeText(kept, [], 'x'.repeat(40));
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
