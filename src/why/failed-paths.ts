import type { Edit } from '../domain/edit.ts';
import type { Evidence } from './evidence.ts';
import { type Said, said } from './reason.ts';

/** Something that was tried in a file and taken back in the same agent session. */
export interface FailedPath {
  agent: Edit['agent'];
  agentSession: string;
  at: number;
  /** How many lines were written and are gone again. */
  lines: number;
  prompt?: Said;
}

/** So much of an edit must be gone before it counts as taken back, not as worked on. */
const goneShare = 0.8;
const maxShown = 2;

/** What was written in a file and removed again by the session that wrote it, newest first. */
export async function failedPathsIn(path: string, evidence: Evidence): Promise<FailedPath[]> {
  const edits = await evidence.editsOfFile(path);
  const takenBack = edits.filter((edit) => isTakenBack(edit, edits)).slice(0, maxShown);
  return Promise.all(
    takenBack.map(async ({ agent, agentSession, turn, at, hunks }) => {
      const filter = { agentSession, ...(turn === '' ? {} : { turn }), kinds: ['prompt' as const] };
      const [prompt] = await evidence.chunks({ ...filter, until: at }, 1);
      const lines = hunks.reduce((sum, { added }) => sum + added.length, 0);
      return { agent, agentSession, at, lines, ...(prompt === undefined ? {} : { prompt: said(prompt) }) };
    }),
  );
}

/** Gone means removed and not written again: a line that was only moved, or changed around, was not given up. */
function isTakenBack(edit: Edit, edits: Edit[]): boolean {
  const written = new Set(edit.hunks.flatMap(({ added }) => added));
  const later = edits.filter(({ agentSession, at }) => agentSession === edit.agentSession && at > edit.at);
  if (written.size === 0 || later.length === 0) return false;
  const balance = new Map<string, number>();
  for (const { added, removed } of later.flatMap(({ hunks }) => hunks)) {
    for (const line of removed) balance.set(line, (balance.get(line) ?? 0) - 1);
    for (const line of added) balance.set(line, (balance.get(line) ?? 0) + 1);
  }
  const gone = [...written].filter((line) => (balance.get(line) ?? 0) < 0).length;
  // Lines that give way to as many others are a next version of the same attempt, unless what stood there came back.
  return gone / written.size >= goneShare && restores(edit, later);
}

/** The lines that the edit had replaced stand there again, or it had replaced none and nothing took its place. */
function restores(edit: Edit, later: Edit[]): boolean {
  const replaced = edit.hunks.flatMap(({ removed }) => removed);
  const added = new Set(later.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.added)));
  if (replaced.length > 0)
    return replaced.filter((line) => added.has(line)).length / replaced.length >= goneShare;
  const written = new Set(edit.hunks.flatMap((hunk) => hunk.added));
  return later.some(({ hunks }) =>
    hunks.some((hunk) => hunk.added.length === 0 && hunk.removed.some((line) => written.has(line))),
  );
}
