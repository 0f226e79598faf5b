import { createReadStream, createWriteStream, renameSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { AppError } from '../base/errors.ts';
import { readJson, removeIfThere, whileInUse } from '../base/files.ts';
import { parseObject, record, text } from '../base/json.ts';
import { linesOf } from '../base/lines.ts';
import type { EventEnvelope } from '../domain/event.ts';
import { isEverywhere, type Note } from '../domain/note.ts';
import type { Project } from '../domain/project.ts';
import { catchUp } from '../recall/catch-up.ts';
import { withOriginalTime } from '../store/events/event-log.ts';
import type { LogIndex } from '../store/store.ts';
import { readBuried } from './notes/tombstones.ts';
import type { OpenProject } from './projects/open-project.ts';

/**
 * The primary data of a project in one file: gzipped JSON lines with the project, its events and its notes, including
 * the user's notes for every project. Restoring adds missing events and notes and changes no existing ones.
 */
const archiveVersion = 1;

export async function exportProject(parts: OpenProject, file: string) {
  const counts = { events: 0, notes: 0 };
  const temporary = `${file}.${process.pid}.tmp`;
  async function* lines(): AsyncGenerator<string> {
    const project = readJson<Project>(parts.paths.project(parts.project).identity);
    yield `${JSON.stringify({ archive: 'backstory', v: archiveVersion, project })}\n`;
    for (const { entry } of parts.log.read({})) {
      if (entry.kind !== 'event') continue;
      counts.events += 1;
      yield `${JSON.stringify({ event: withOriginalTime(entry.event) })}\n`;
    }
    for (const note of await parts.notes.list()) {
      counts.notes += 1;
      yield `${JSON.stringify({ note })}\n`;
    }
  }
  try {
    await pipeline(
      Readable.from(lines()),
      createGzip(),
      createWriteStream(temporary, { mode: 0o600, flags: 'wx' }),
    );
    whileInUse(() => renameSync(temporary, file));
  } catch (error) {
    removeIfThere(temporary);
    throw error;
  }
  return counts;
}

/** The project of an archive. Reads only the first line. */
export async function archivedProject(file: string): Promise<Project> {
  for await (const value of readArchive(file)) {
    const project = value.project as Project | undefined;
    if (text(value.archive) === 'backstory' && project !== undefined) return project;
    break;
  }
  throw new AppError('INVALID_ARGUMENT', `${file} is not an archive made by backstory export`, {
    hint: 'backstory import FILE',
  });
}

const batchEvents = 500;

export async function restoreProject(parts: OpenProject, file: string) {
  const writing = parts.access.forWriting();
  if (writing === undefined) {
    throw new AppError('INDEX_UNAVAILABLE', 'another process is indexing this project', {
      hint: 'try again in a minute',
      retryable: true,
    });
  }
  const counts = { events: 0, notes: 0 };
  try {
    const { index } = writing;
    await catchUp(parts, index, { maxBytes: Number.MAX_SAFE_INTEGER });
    const isBuried = readBuried(parts);
    let batch: EventEnvelope[] = [];
    const flush = async () => {
      const known = await index.events(batch.map(({ id }) => id));
      const missing = batch.filter(({ id }) => !known.has(id));
      parts.log.append(missing);
      counts.events += missing.length;
      batch = [];
    };
    for await (const value of readArchive(file)) {
      if ('event' in value) batch.push(record(value.event) as unknown as EventEnvelope);
      if (batch.length >= batchEvents) await flush();
      const note = value.note as Note | undefined;
      if (note === undefined || isBuried(note) || (await quotesForgotten(index, note))) continue;
      if (parts.notes.wasRemovedEverywhere(note.id)) continue;
      counts.notes += await putIfMissing(parts, ownScope(parts, note));
    }
    await flush();
    await catchUp(parts, index, { maxBytes: Number.MAX_SAFE_INTEGER });
  } finally {
    await writing.close();
  }
  return counts;
}

/** A note for every project of somebody else, who gave the user the export, becomes a note of this project only. */
function ownScope({ actor }: OpenProject, note: Note): Note {
  if (!isEverywhere(note) || note.author === actor) return note;
  const { everywhere: _, ...own } = note;
  return own;
}

async function putIfMissing({ notes }: OpenProject, note: Note): Promise<number> {
  if ((await notes.get(note.id)) !== undefined) return 0;
  await notes.put(note);
  return 1;
}

/** Whether the note was extracted from an event that has been forgotten since, and so may quote it. */
async function quotesForgotten(index: LogIndex, { derivedFrom }: Note): Promise<boolean> {
  const sources = await index.events(derivedFrom);
  return [...sources.values()].some(({ state }) => state === 'forgotten');
}

async function* readArchive(file: string): AsyncGenerator<Record<string, unknown>> {
  const source = createReadStream(file);
  const unzipped = source.pipe(createGunzip());
  source.on('error', (error) => unzipped.destroy(error));
  try {
    for await (const line of linesOf(unzipped)) {
      const value = parseObject(line);
      if (value !== undefined) yield value;
    }
  } finally {
    source.destroy();
    unzipped.destroy();
  }
}
