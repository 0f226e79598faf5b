import { AppError } from '../base/errors.ts';
import type { Chunk, ChunkFilter } from '../domain/chunk.ts';
import { findNote } from '../domain/note.ts';
import type { LogIndex } from '../store/store.ts';
import { chunksOfNote } from './chunks.ts';
import { oneOfEach } from './list-by-filter.ts';
import { recall } from './recall.ts';
import { listChunks, type UnindexedEvents, unindexedChunks, withSearched } from './unindexed-events.ts';
import { type RecallLimits, type RecallParts, withoutMeaning } from './with-index.ts';

export interface TimelineQuery extends ChunkFilter {
  anchor?: string;
  /** Instead of an anchor: a question, whose best hit is the anchor. */
  text?: string;
  before?: number;
  after?: number;
}

export interface Timeline {
  /** The chunk around which the timeline is shown; undefined if the anchor is a time, or nothing was found. */
  anchor?: Chunk;
  chunks: Chunk[];
}

export const defaultDepth = 5;
const depthCap = 50;
/** How many chunks are read per entry. Several chunks may belong to one event or note, which is shown once. */
const perSource = 6;

export async function timeline(
  parts: RecallParts,
  query: TimelineQuery,
  limits: RecallLimits,
): Promise<Timeline> {
  const { anchor: given, text, before, after, ...filter } = query;
  const found =
    text === undefined ? given : (await recall(parts, { ...filter, text, limit: 1 }, limits)).hits[0]?.id;
  if (found === undefined) return { chunks: [] };
  return withSearched(withoutMeaning(parts), limits, async (searched) => {
    const { index, tail } = searched;
    const anchor =
      (await findChunk(found, index, tail)) ??
      (await startOfSession(found, index)) ??
      (mayBeNote.test(found) ? await noteChunk(parts, found) : undefined);
    const at = anchor?.at ?? momentIn(found);
    if (Number.isNaN(at)) {
      throw new AppError('NOT_FOUND', `no memory has the id ${found}, and it is not a time`, {
        hint: 'backstory recall "…" shows ids; write a time as 2026-11-01T09:00',
      });
    }
    const depthOf = (depth = defaultDepth) => Math.min(Math.max(0, depth), depthCap);
    const [back, forth] = [depthOf(before), depthOf(after)];
    const most = Math.max(back, forth) * perSource + perSource;
    const until = Math.min(at, filter.until ?? at);
    const since = Math.max(at, filter.since ?? at);
    const line = oneOfEach([
      ...(await listChunks(searched, { ...filter, until }, most)),
      ...(await listChunks(searched, { ...filter, since }, most, 'oldest')),
      ...(anchor === undefined ? [] : [anchor]),
    ]);
    const here =
      anchor === undefined ? undefined : line.findIndex(({ sourceId }) => sourceId === anchor.sourceId);
    const first = here ?? line.findIndex((chunk) => chunk.at >= at);
    const from = first < 0 ? line.length : first;
    return {
      ...(anchor === undefined ? {} : { anchor }),
      chunks: line.slice(Math.max(0, from - back), from + forth + (here === undefined ? 0 : 1)),
    };
  });
}

export function momentIn(text: string): number {
  if (/^\d{13}$/.test(text)) return Number(text);
  return /^\d{10}$/.test(text) ? Number(text) * 1000 : Date.parse(text);
}

const minIdPrefix = 8;
/** Matches a full or abbreviated commit hash. Git abbreviates to seven characters or more. */
const commitHash = /^[0-9a-f]{7,64}$/;

/** The chunk with this id, of the event or note with this id, or of the commit with this hash. */
export async function findChunk(
  id: string,
  index: LogIndex | undefined,
  tail: UnindexedEvents,
): Promise<Chunk | undefined> {
  const fits = (candidate: string) => id.length >= minIdPrefix && candidate.startsWith(id);
  return (
    unindexedChunks(tail, {}).find((chunk) => fits(chunk.id) || fits(chunk.sourceId)) ??
    (await index?.get([id]))?.[0] ??
    (commitHash.test(id) ? await index?.findCommit(id) : undefined)
  );
}

/** The first chunk of an agent session, if the anchor is the id of one. */
async function startOfSession(name: string, index: LogIndex | undefined): Promise<Chunk | undefined> {
  const agentSession = index?.sessions.find(name);
  return agentSession === undefined ? undefined : (await index?.list({ agentSession }, 1, 'oldest'))?.[0];
}

/** Matches an anchor that may be a note id. It is tested before dates, because Date.parse also accepts "dec01234". */
const mayBeNote = /^[0-9a-f]{8,32}$|^[0-9a-f]{8}-[0-9a-f-]{27}$/i;

async function noteChunk({ notes, project }: RecallParts, name: string): Promise<Chunk | undefined> {
  const note = findNote(await notes.list(), name);
  return note === undefined ? undefined : chunksOfNote(note, project)[0];
}
