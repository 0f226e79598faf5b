import { AppError } from '../base/errors.ts';
import type { Chunk, ChunkFilter } from '../domain/chunk.ts';
import { findNote } from '../domain/note.ts';
import type { LogIndex } from '../store/store.ts';
import { chunksOfNote } from './chunks.ts';
import { isCommitHash } from './commits.ts';
import { oneOfEach } from './list-by-filter.ts';
import { recall } from './recall.ts';
import { readUnindexed, type UnindexedEvents, unindexedChunks } from './unindexed-events.ts';
import { type RecallLimits, type RecallParts, withIndex } from './with-index.ts';

export interface TimelineQuery extends ChunkFilter {
  /** The id of a hit, or a time. */
  anchor?: string;
  /** Instead of an anchor: a question, whose best hit is the anchor. */
  text?: string;
  before?: number;
  after?: number;
}

export interface Timeline {
  /** The chunk around which the timeline is shown; undefined if the anchor is a time, or nothing was found. */
  anchor?: Chunk;
  /** One chunk of each event or note, oldest first. */
  chunks: Chunk[];
}

export const defaultDepth = 5;
const depthCap = 50;
/** How many chunks are read per entry. Several chunks may belong to one event or note, which is shown once. */
const perSource = 6;

/** The events and notes before and after an anchor, in order. */
export async function timeline(
  parts: RecallParts,
  query: TimelineQuery,
  limits: RecallLimits,
): Promise<Timeline> {
  const { anchor: given, text, before, after, ...filter } = query;
  const found = text === undefined ? given : await bestHit(parts, { ...filter, text }, limits);
  if (found === undefined) return { chunks: [] };
  return withIndex(parts, limits, async (index) => {
    const tail = await readUnindexed(parts, index, limits.tailBytes);
    const anchor =
      (await chunkOf(found, index, tail)) ??
      (mayBeNote.test(found) ? await noteChunk(parts, found) : undefined);
    const at = anchor?.at ?? momentIn(found);
    if (Number.isNaN(at)) {
      throw new AppError('NOT_FOUND', `no memory has the id ${found}, and it is not a time`, {
        hint: 'backstory recall "…" shows ids; write a time as 2026-11-01T09:00',
      });
    }
    const depths = [before, after].map((depth) => Math.min(Math.max(0, depth ?? defaultDepth), depthCap));
    const [back = 0, forth = 0] = depths;
    const around = await chunksAround(at, Math.max(back, forth) * perSource + perSource, filter, index, tail);
    const line = oneOfEach([...around, ...(anchor === undefined ? [] : [anchor])]);
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

/** Parses a date, or seconds or milliseconds since 1970. */
export function momentIn(text: string): number {
  if (/^\d{13}$/.test(text)) return Number(text);
  return /^\d{10}$/.test(text) ? Number(text) * 1000 : Date.parse(text);
}

async function bestHit(
  parts: RecallParts,
  filter: ChunkFilter & { text: string },
  limits: RecallLimits,
): Promise<string | undefined> {
  return (await recall(parts, { ...filter, limit: 1 }, limits)).hits[0]?.id;
}

const minIdPrefix = 8;

async function chunkOf(
  id: string,
  index: LogIndex | undefined,
  tail: UnindexedEvents,
): Promise<Chunk | undefined> {
  if (id.length < minIdPrefix) return undefined;
  const fits = (candidate: string) => candidate.startsWith(id);
  const recent = unindexedChunks(tail, {}).find((chunk) => fits(chunk.id) || fits(chunk.sourceId));
  return (
    recent ??
    (await index?.get([id]))?.[0] ??
    (isCommitHash(id) ? await index?.findCommit(id) : undefined) ??
    (await startOfSession(id, index))
  );
}

/**
 * Returns the first chunk of an agent session. If a user gives a session id as the anchor, the timeline is shown around
 * this chunk.
 */
async function startOfSession(name: string, index: LogIndex | undefined): Promise<Chunk | undefined> {
  const agentSession = await index?.findAgentSession(name);
  return agentSession === undefined ? undefined : (await index?.list({ agentSession }, 1, 'oldest'))?.[0];
}

/** Matches an anchor that may be a note id. It is tested before dates, because Date.parse also accepts "dec01234". */
const mayBeNote = /^[0-9a-f]{8,32}$|^[0-9a-f]{8}-[0-9a-f-]{27}$/i;

/** Finds a note by the short id that is shown to users. */
async function noteChunk({ notes, project }: RecallParts, name: string): Promise<Chunk | undefined> {
  const note = findNote(await notes.list(), name);
  return note === undefined ? undefined : chunksOfNote(note, project)[0];
}

async function chunksAround(
  at: number,
  limit: number,
  filter: ChunkFilter,
  index: LogIndex | undefined,
  tail: UnindexedEvents,
): Promise<Chunk[]> {
  const until = Math.min(at, filter.until ?? at);
  const since = Math.max(at, filter.since ?? at);
  const isGone = ({ sourceId }: Chunk) => tail.replay.drop.has(sourceId) || tail.replay.put.has(sourceId);
  const indexed = [
    ...((await index?.list({ ...filter, until }, limit)) ?? []),
    ...((await index?.list({ ...filter, since }, limit, 'oldest')) ?? []),
  ];
  return [...indexed.filter((chunk) => !isGone(chunk)), ...unindexedChunks(tail, filter)];
}
