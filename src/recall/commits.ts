import type { Chunk } from '../domain/chunk.ts';

/** As git writes it, whole or its beginning; shorter ones are too many things. */
export const isCommitHash = (text: string): boolean => /^[0-9a-f]{8,64}$/.test(text);

const hourMs = 3_600_000;
/** A commit is made after its edits, in the same sitting; clocks of hook and git may differ by minutes. */
const beforeMs = 3 * hourMs;
const afterMs = hourMs / 6;

/**
 * The turn in which each commit was made, by the commit's source. Git knows of no turns, so a commit stands for
 * itself until the files it holds and its time say whose edits they are: then its message, mostly the best words
 * there are on a piece of work, speaks for the whole turn.
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
