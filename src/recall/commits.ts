import type { Chunk } from '../domain/chunk.ts';

/**
 * Whether a text is a full or abbreviated commit hash. Fewer than eight characters would match too many other words.
 */
export const isCommitHash = (text: string): boolean => /^[0-9a-f]{8,64}$/.test(text);

const hourMs = 3_600_000;
/**
 * How long before (or, with `afterMs`, after) a commit its edits may be. A commit follows its edits within hours, and the clocks of hook
 * and git may differ by minutes.
 */
const beforeMs = 3 * hourMs;
const afterMs = hourMs / 6;

/**
 * The turn in which each commit was made, by source id of the commit. Git does not record turns, so the turn is
 * inferred: it is the one that edited most of the commit's files shortly before. The commit message, usually the best
 * description of the work, then counts for the whole turn.
 */
export function turnsOfCommits(chunks: Iterable<Chunk>): Map<string, string> {
  const commits = new Map<string, Chunk>();
  const edits = new Map<string, Chunk[]>();
  for (const chunk of chunks) {
    if (chunk.turn === '' && chunk.source === 'event' && chunk.agentSession === '' && chunk.paths.length > 0)
      commits.set(chunk.sourceId, chunk);
    if (chunk.kind !== 'edit' || chunk.turn === '') continue;
    for (const path of chunk.paths) edits.set(path, [...(edits.get(path) ?? []), chunk]);
  }
  const turns = new Map<string, string>();
  for (const [id, { paths, at }] of commits) {
    const shared = new Map<string, number>();
    for (const path of new Set(paths)) {
      const near = (edits.get(path) ?? []).filter(
        (edit) => edit.at >= at - beforeMs && edit.at <= at + afterMs,
      );
      for (const turn of new Set(near.map((edit) => edit.turn)))
        shared.set(turn, (shared.get(turn) ?? 0) + 1);
    }
    const [most] = [...shared].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    if (most !== undefined) turns.set(id, most[0]);
  }
  return turns;
}
