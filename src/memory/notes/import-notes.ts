import { join } from 'node:path';
import { claudeProjectFolder } from '../../agents/claude-code/transcript.ts';
import type { AgentFolders } from '../../agents/setup.ts';
import { isoTime } from '../../base/clock.ts';
import { hashId } from '../../base/hash.ts';
import { uuidOf } from '../../base/ids.ts';
import type { Trust } from '../../domain/event.ts';
import type { ForeignTool } from '../../domain/foreign-tools.ts';
import { freshNote, type Note } from '../../domain/note.ts';
import type { Place } from '../../domain/project.ts';
import { readClaudeMem } from '../../store/foreign/claude-mem.ts';
import { readClaudeMemory, splitNote } from '../../store/foreign/claude-memory.ts';
import { type ForeignNote, readMarkdownFolder } from '../../store/foreign/foreign-note.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { redact } from '../redact/redact.ts';
import { findClosed } from './note-lifecycle.ts';
import { readBuried } from './tombstones.ts';

export interface ForeignPlaces {
  place: Place;
  folders: AgentFolders;
  userHome: string;
  from?: string;
}

/** `thehook` keeps its store in the repository, so its text is from third parties. Agents wrote the others. */
export const importStore = (parts: OpenProject, tool: ForeignTool, where: ForeignPlaces): Promise<number> =>
  importNotes(parts, tool, notesOf(tool, where), tool === 'thehook' ? 0 : 1);

function notesOf(tool: ForeignTool, { place, folders, userHome, from }: ForeignPlaces): ForeignNote[] {
  switch (tool) {
    case 'claude-mem': {
      const names = [place.name, place.root.split(/[\\/]/).at(-1) ?? ''];
      return readClaudeMem(from ?? join(userHome, '.claude-mem', 'claude-mem.db'), [...new Set(names)]);
    }
    case 'thehook': {
      const [root, folder] = from === undefined ? [place.root, '.thehook'] : [from, ''];
      return [
        ...readMarkdownFolder(root, join(folder, 'sessions'), 'summary'),
        ...readMarkdownFolder(root, join(folder, 'knowledge'), 'knowledge'),
      ].flatMap(splitNote);
    }
    case 'claude-memory':
      return from === undefined
        ? readClaudeMemory(claudeProjectFolder(folders['claude-code'].config, place.root), 'memory', true)
        : readClaudeMemory(from, '', false);
    case 'basic-memory':
      return readMarkdownFolder(from ?? join(userHome, 'basic-memory'), '', 'knowledge');
  }
}

/**
 * Imports another tool's memories as candidates, unless they were imported, forgotten or closed before. The id is
 * derived from the source, so importing is idempotent.
 */
export async function importNotes(
  parts: Pick<OpenProject, 'notes' | 'clock' | 'log' | 'device'>,
  tool: string,
  found: ForeignNote[],
  trust: Trust,
): Promise<number> {
  const notes = await parts.notes.list();
  const known = new Set(notes.map(({ id }) => id));
  const isBuried = readBuried(parts);
  const now = isoTime(parts.clock.now());
  const fresh = found
    .map((foreign) => toNote(foreign, tool, trust, now))
    .filter((note) => !known.has(note.id) && !isBuried(note) && findClosed(note, notes) === undefined);
  for (const note of fresh) await parts.notes.put(note);
  return fresh.length;
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
