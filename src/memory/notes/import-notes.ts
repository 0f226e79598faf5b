import { isoTime } from '../../base/clock.ts';
import { hashId } from '../../base/hash.ts';
import { uuidOf } from '../../base/ids.ts';
import type { Trust } from '../../domain/event.ts';
import { freshNote, type Note } from '../../domain/note.ts';
import type { ForeignNote } from '../../store/foreign/foreign-note.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { redact } from '../redact/redact.ts';
import { findClosed } from './note-lifecycle.ts';
import { readBuried } from './tombstones.ts';

/** Imports another tool's memories as candidates. The id is derived from the source, so importing is idempotent. */
export async function importNotes(
  parts: ImportParts,
  tool: string,
  found: ForeignNote[],
  trust: Trust,
): Promise<number> {
  const fresh = await newNotes(parts, tool, found, trust);
  for (const note of fresh) await parts.notes.put(note);
  return fresh.length;
}

type ImportParts = Pick<OpenProject, 'notes' | 'clock' | 'log' | 'device'>;

/** The notes that an import would add: neither imported before, nor forgotten, nor replaced or withdrawn. */
async function newNotes(
  parts: ImportParts,
  tool: string,
  found: ForeignNote[],
  trust: Trust,
): Promise<Note[]> {
  const notes = await parts.notes.list();
  const known = new Set(notes.map(({ id }) => id));
  const isBuried = readBuried(parts);
  return found
    .map((foreign) => toNote(foreign, tool, trust, isoTime(parts.clock.now())))
    .filter((note) => !known.has(note.id) && !isBuried(note) && findClosed(note, notes) === undefined);
}

const toNote = (foreign: ForeignNote, tool: string, trust: Trust, now: string): Note =>
  freshNote(foreign.created || now, {
    id: uuidOf(hashId('import', tool, foreign.key)),
    kind: foreign.kind,
    title: redact(foreign.title),
    ...(foreign.topic === undefined ? {} : { topic: redact(foreign.topic) }),
    trust,
    concepts: foreign.concepts,
    files: foreign.files,
    author: tool,
    derivedFrom: [`${tool}:${foreign.key}`],
    text: redact(foreign.text),
  });
