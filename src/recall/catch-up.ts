import type { Note } from '../domain/note.ts';
import type { EmbedderSource } from '../models/embed.ts';
import { encodeEvent } from '../store/events/event-line.ts';
import {
  bytesAfter,
  type EventLog,
  type LogPosition,
  type LogRecord,
  withOriginalTime,
} from '../store/events/event-log.ts';
import type { LogIndex, NoteStamp, NoteStore, NoteTies, ProjectNotes } from '../store/store.ts';
import { chunksOfNote } from './chunks.ts';
import { embedderOf } from './meaning.ts';
import { emptyReplay, idsIn, replayRecord } from './replay-log.ts';

export interface CatchUpLimits {
  maxBytes: number;
  /** Tells whether to stop early. It is called between batches. */
  isOver?(): boolean;
  onProgress?(done: number, total: number): void;
  maxEmbedded?: number;
}

const maxBatchRecords = 1_000;
const maxBatchBytes = 2 * 1024 * 1024;

/** The primary data of a project, from which its index is built. */
export interface Truth {
  log: EventLog;
  notes: ProjectNotes;
  project: string;
  /** Without an embedder, recall is lexical only. */
  embedder?: EmbedderSource;
}

/** Updates the index from the log and the notes. Each batch is one transaction that also stores the progress. */
export async function catchUp(
  truth: Truth,
  index: LogIndex,
  limits: CatchUpLimits,
): Promise<{ isComplete: boolean; records: number }> {
  const done = await indexLog(truth, index, limits);
  await embedChunks(index, truth.embedder, limits);
  return done;
}

async function indexLog(
  truth: Truth,
  index: LogIndex,
  limits: CatchUpLimits,
): Promise<{ isComplete: boolean; records: number }> {
  await indexNotes(truth, index);
  const from = await index.progress();
  const total = Math.min(limits.maxBytes, bytesAfter(from, truth.log.end()));
  let done = 0;
  let records = 0;
  let batch: LogRecord[] = [];
  let batchSize = 0;
  const flush = async () => {
    if (batch.length === 0) return;
    await indexRecords(batch, index);
    done += batchSize;
    records += batch.length;
    batch = [];
    batchSize = 0;
    limits.onProgress?.(done, total);
  };
  for (const record of truth.log.read(from)) {
    batch.push(record);
    batchSize += record.end - record.offset;
    if (batch.length < maxBatchRecords && batchSize < maxBatchBytes) continue;
    await flush();
    if (done >= limits.maxBytes || limits.isOver?.() === true) return { isComplete: false, records };
  }
  await flush();
  return { isComplete: true, records };
}

const noChange = {
  steps: [],
  edits: [],
  events: [],
  notes: [],
  dropNotes: [],
  progress: {},
  tombstones: [],
  lines: [],
};

async function indexRecords(batch: LogRecord[], index: LogIndex): Promise<void> {
  const known = await index.events(idsIn(batch));
  const replay = emptyReplay();
  const progress: LogPosition = {};
  for (const record of batch) {
    replayRecord(replay, record, known);
    progress[record.file] = record.end;
  }
  await index.applyLog({
    ...noChange,
    put: [...replay.put.values()].flat(),
    dropSources: [...replay.drop],
    steps: [...replay.steps.values()],
    edits: [...replay.edits.values()],
    events: [...replay.rows.values()],
    progress,
    tombstones: [...replay.tombstones],
    lines: [...replay.events].map(([id, event]) => ({ id, line: encodeEvent(withOriginalTime(event)) })),
  });
}

/** Users edit note files directly, so each run compares the files with the modification stamps in the index. */
async function indexNotes(truth: { notes: NoteStore; project: string }, index: LogIndex): Promise<void> {
  const { put, dropSources, gone, read } = await changedNotes(truth, index);
  if (gone.length === 0 && read.length === 0) return;
  await index.applyLog({
    ...noChange,
    put,
    dropSources,
    notes: read.map(({ file, stamp, note }) => ({ file, stamp, note: note?.id ?? '', ties: tiesOf(note) })),
    dropNotes: gone.map(({ file }) => file),
  });
}

export const tiesOf = (note: Note | undefined): NoteTies => ({
  note: note?.id ?? '',
  derivedFrom: note?.derivedFrom ?? [],
  files: note?.files ?? [],
  anchors: note?.anchors ?? [],
});

export async function changedNotes(
  truth: { notes: NoteStore; project: string },
  index: LogIndex | undefined,
) {
  const indexed = (await index?.noteStamps()) ?? new Map<string, NoteStamp>();
  const present = truth.notes.stamps();
  const gone = [...indexed.values()].filter(({ file }) => !present.has(file));
  const changed = [...present].filter(([file, stamp]) => indexed.get(file)?.stamp !== stamp);
  const read: { file: string; stamp: string; note: Note | undefined }[] = [];
  for (const [file, stamp] of changed) read.push({ file, stamp, note: await truth.notes.readFile(file) });
  return {
    gone,
    read,
    put: read.flatMap(({ note }) => (note === undefined ? [] : chunksOfNote(note, truth.project))),
    dropSources: [
      ...gone.map(({ note }) => note),
      ...changed.map(([file]) => indexed.get(file)?.note ?? ''),
      ...read.map(({ note }) => note?.id ?? ''),
    ].filter((id) => id !== ''),
  };
}

export async function notesAreIndexed(notes: NoteStore, index: LogIndex): Promise<boolean> {
  const indexed = await index.noteStamps();
  const present = notes.stamps();
  return (
    indexed.size === present.size && [...present].every(([file, stamp]) => indexed.get(file)?.stamp === stamp)
  );
}

/** Exactly one segment of the vector index, so that the vectors are written to it directly. */
const batchChunks = 1_024;

/** What is left if the time is over is done next time; until then, words alone find those chunks. */
async function embedChunks(
  index: LogIndex,
  source: EmbedderSource | undefined,
  { maxEmbedded = Number.MAX_SAFE_INTEGER, isOver = () => false }: CatchUpLimits,
): Promise<void> {
  const embedder = await embedderOf(source);
  if (embedder === undefined) return;
  for (let embedded = 0; embedded < maxEmbedded; embedded += batchChunks) {
    const chunks = await index.unembedded(batchChunks);
    if (chunks.length === 0 || isOver()) return;
    const vectors = await embedder.embed(chunks.map(({ text }) => text));
    await index.storeVectors(chunks.map(({ row }, at) => ({ row, vector: vectors[at] as Float32Array })));
  }
}
