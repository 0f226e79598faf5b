import { localDay } from '../../base/clock.ts';
import type { Chunk, ChunkFilter } from '../../domain/chunk.ts';
import { isGone, type UnindexedEvents, unindexedChunks } from '../../recall/unindexed-events.ts';
import type { LogIndex } from '../../store/store.ts';
import { safeName } from '../../text/safe-name.ts';
import { namedIssues } from './request.ts';

/** How many texts with the number of an issue are looked at. Most of them have it for another reason. */
const maxLookedUp = 200;
const maxCommits = 3;
const maxFiles = 4;

/** The user's prompts and the commits that name one of these issues, newest first. */
export async function chunksNaming(
  issues: string[],
  { index, tail }: { index: LogIndex; tail: UnindexedEvents },
): Promise<{ prompts: Chunk[]; commits: Chunk[] }> {
  const named = async (filter: ChunkFilter): Promise<Chunk[]> => {
    const indexed = (await index.search(issues, filter, maxLookedUp)).map(({ chunk }) => chunk);
    return [...indexed.filter((chunk) => !isGone(tail, chunk)), ...unindexedChunks(tail, filter)]
      .filter(({ text }) => namedIssues(text).some((issue) => issues.includes(issue)))
      .sort((a, b) => b.at - a.at);
  };
  return {
    prompts: await named({ kinds: ['prompt'], minTrust: 2 }),
    commits: (await named({ kinds: ['commit'] })).slice(0, maxCommits),
  };
}

/** A line about a commit: its hash and files. Nobody knows whose words its message has. */
export function commitLine({ at, id, paths, text }: Chunk): string {
  const [head] = text.split(':', 1);
  const files = paths.slice(0, maxFiles).map((file) => safeName('file', file));
  const changed = files.length === 0 ? '' : ` (changed ${files.join(', ')})`;
  return `${localDay(at)} ${head}${changed} [${id.slice(0, 8)}]`;
}
