import { type Chunk, planConcept } from '../domain/chunk.ts';
import type { Edit } from '../domain/edit.ts';
import { isDialog, type Origin } from '../domain/event.ts';
import { wordsOf } from '../text/session-title.ts';
import type { FailedPath, Quote } from '../wire/answers/memory.ts';
import { pathsInText } from './chunks.ts';
import type { Evidence } from './evidence.ts';
import type { RecallQuery } from './hit.ts';

/** An edit counts as reverted, rather than revised, if at least this share of its lines is gone. */
const minGoneShare = 0.8;
const defaultLimit = 2;
const maxChunksAfter = 20;

/** Finds edits of a file that were reverted in the same session, newest first. */
export async function failedPathsIn(
  path: string,
  evidence: Evidence,
  limit = defaultLimit,
): Promise<FailedPath[]> {
  const edits = await evidence.editsOfFile(path);
  const isRevertedByGit = await revertedEdits(path, edits, evidence);
  const reverted = edits.filter((edit) => isRevertedByEdits(edit, edits) || isRevertedByGit(edit));
  const ofTurns = [...Map.groupBy(reverted, turnKey).values()].slice(0, limit);
  return Promise.all(ofTurns.flatMap(([edit]) => (edit ? failedPathOf(path, edit, edits, evidence) : [])));
}

const turnKey = ({ agentSession, turn }: Edit): string => `${agentSession} ${turn}`;

/** The number of turns of which an edit was reverted by later edits. */
export const takenBack = (edits: Edit[]): number =>
  new Set(edits.filter((edit) => isRevertedByEdits(edit, edits)).map(turnKey)).size;

const maxPrompts = 200;

/** The prompts of the turn of an edit, oldest first: its request, answers in dialogs and what was typed meanwhile. */
export async function promptsOf(
  { agentSession, turn, at }: Edit,
  { chunks, chunksOf }: Pick<Evidence, 'chunks' | 'chunksOf'>,
): Promise<Chunk[]> {
  const filter = { agentSession, kinds: ['prompt' as const] };
  const found = await (turn === ''
    ? chunks({ ...filter, until: at }, 1)
    : chunks({ ...filter, turn }, maxPrompts, 'oldest'));
  const slices = [...Map.groupBy(found, ({ sourceId }) => sourceId).values()];
  // The slices of an event have no order.
  return Promise.all(
    slices.map(async ([one, other]) => {
      const first = other && (await chunksOf(other.sourceId))[0];
      return first ?? (one as Chunk);
    }),
  );
}

/** What the user answered in a dialog says too little alone, and what a program sent says nothing of the user. */
export const isRequest = (prompt: Chunk): boolean =>
  !isDialog(prompt) && wordsOf({ text: prompt.text, isPlan: prompt.concepts.includes(planConcept) }) !== '';

export const promptOf = async (edit: Edit, evidence: Pick<Evidence, 'chunks' | 'chunksOf'>) =>
  (await promptsOf(edit, evidence)).find(isRequest);

async function failedPathOf(
  path: string,
  edit: Edit,
  edits: Edit[],
  evidence: Evidence,
): Promise<FailedPath> {
  const { agent, agentSession, turn, at, hunks } = edit;
  const prompt = await promptOf(edit, evidence);
  const afterEdit = { agentSession, turn, kinds: ['command' as const], since: at };
  const after = turn === '' ? [] : await evidence.chunks(afterEdit, maxChunksAfter, 'oldest');
  const later = edits.filter((each) => each.agentSession === agentSession && each.at > at);
  const end = Math.min(...later.map((each) => each.at));
  const failure = after.find((each) => each.at <= end && each.isFailed === true);
  return {
    path,
    agent,
    agentSession,
    at,
    lines: hunks.reduce((sum, { added }) => sum + added.length, 0),
    ...(prompt === undefined ? {} : { prompt: quoteOf(prompt) }),
    ...(failure === undefined ? {} : { failure: quoteOf(failure) }),
  };
}

/** A line is gone if later edits removed it more often than they added it; a moved line is not gone. */
function isRevertedByEdits(edit: Edit, edits: Edit[]): boolean {
  const written = new Set(edit.hunks.flatMap(({ added }) => added));
  const later = edits.filter(({ agentSession, at }) => agentSession === edit.agentSession && at > edit.at);
  const balance = new Map<string, number>();
  for (const { added, removed } of later.flatMap(({ hunks }) => hunks)) {
    for (const line of removed) balance.set(line, (balance.get(line) ?? 0) - 1);
    for (const line of added) balance.set(line, (balance.get(line) ?? 0) + 1);
  }
  const gone = [...written].filter((line) => (balance.get(line) ?? 0) < 0).length;
  // Of an edit that added nothing, the share is not a number, and not enough.
  // If other lines replaced the edit's lines, the later edit is the next version of the same attempt, unless it brought
  // the original lines back.
  return gone / written.size >= minGoneShare && restores(edit, later);
}

/** Whether the lines that the edit had replaced are back; or, if it had replaced none, its lines were removed without a replacement. */
function restores(edit: Edit, later: Edit[]): boolean {
  const replaced = edit.hunks.flatMap(({ removed }) => removed);
  const added = new Set(later.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.added)));
  if (replaced.length > 0)
    return replaced.filter((line) => added.has(line)).length / replaced.length >= minGoneShare;
  const written = new Set(edit.hunks.flatMap((hunk) => hunk.added));
  return later.some(({ hunks }) =>
    hunks.some((hunk) => hunk.added.length === 0 && hunk.removed.some((line) => written.has(line))),
  );
}

const speakers: Partial<Record<Origin, Quote['by']>> = {
  user: 'user',
  assistant: 'agent',
  unconfirmed: 'unconfirmed',
};

export const quoteOf = (chunk: Chunk): Quote => ({
  id: chunk.sourceId,
  at: chunk.at,
  by: speakers[chunk.origin] ?? 'tool',
  text: chunk.text,
});

const maxFiles = 3;
const maxEditsOfName = 20;
const maxResults = 3;

/** Finds reverted attempts in the files that a query names. Without a file in the query there are none. */
export async function failedPathsOf({ file, text }: RecallQuery, evidence: Evidence): Promise<FailedPath[]> {
  const names = [...(file === undefined ? [] : [file]), ...pathsInText(text)].slice(0, maxFiles);
  const paths = new Set<string>();
  for (const name of names) {
    const edits = await evidence.chunks({ file: name, kinds: ['edit'] }, maxEditsOfName);
    for (const path of edits.flatMap((edit) => edit.paths)) paths.add(path);
  }
  const found: FailedPath[] = [];
  for (const path of [...paths].slice(0, maxFiles)) found.push(...(await failedPathsIn(path, evidence)));
  return found.sort((a, b) => b.at - a.at).slice(0, maxResults);
}

const revertingCommand = /\bgit\s+(?:checkout|restore|reset\s+--hard|stash)\b([^;&|]*)/g;
/** Git commands after which an edit is no longer lost: it was committed, or restored from the stash. */
const keepingCommand = /\bgit\s+(?:commit|stash\s+(?:pop|apply))\b/;
const maxCommands = 200;
const maxSessions = 5;
/** An edit still counts as reverted if at most this share of its lines was written again. */
const maxRewrittenShare = 0.2;

/** Recognises edits of a file that a git command of the same session reverted and whose lines were not written again. */
async function revertedEdits(
  path: string,
  edits: Edit[],
  evidence: Evidence,
): Promise<(edit: Edit) => boolean> {
  const sessions = [...new Set(edits.map(({ agentSession }) => agentSession))].slice(0, maxSessions);
  const commands = new Map<string, Chunk[]>();
  for (const agentSession of sessions) {
    const run = await evidence.chunks({ agentSession, kinds: ['command'] }, maxCommands);
    commands.set(
      agentSession,
      run.filter(({ isFailed }) => isFailed !== true).sort((a, b) => a.at - b.at),
    );
  }
  return (edit) => {
    const after = (commands.get(edit.agentSession) ?? []).filter(({ at }) => at > edit.at);
    const end = after.find(({ text }) => keepingCommand.test(lineOf(text)) || reverts(lineOf(text), path));
    if (end === undefined || keepingCommand.test(lineOf(end.text))) return false;
    const isStash = /\bgit\s+stash\b/.test(lineOf(end.text));
    if (isStash && after.some(({ at, text }) => at > end.at && keepingCommand.test(lineOf(text))))
      return false;
    const written = edit.hunks.flatMap(({ added }) => added);
    const later = edits.filter(({ at }) => at > end.at);
    const again = new Set(later.flatMap(({ hunks }) => hunks.flatMap(({ added }) => added)));
    // Of an edit that added nothing, the share is not a number, and not low enough.
    return written.filter((line) => again.has(line)).length / written.length <= maxRewrittenShare;
  };
}

const lineOf = (text: string): string => text.split('\n')[0] ?? '';

function reverts(command: string, path: string): boolean {
  return [...command.matchAll(revertingCommand)].some(([whole, rest = '']) => {
    if (/reset\s+--hard$/.test(whole.trim())) return true;
    if (/stash/.test(whole)) return !/\b(?:list|show|drop|branch|clear)\b/.test(rest);
    const names = rest
      .trim()
      .split(/\s+/)
      .filter((word) => word !== '' && !word.startsWith('-'));
    return names.some((name) => name === '.' || path === name || path.startsWith(`${name}/`));
  });
}
