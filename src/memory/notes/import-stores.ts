import { isAbsolute, join } from 'node:path';
import { claudeProjectFolder } from '../../agents/claude-code/transcript.ts';
import type { AgentFolders } from '../../agents/setup.ts';
import { hashId } from '../../base/hash.ts';
import type { Trust } from '../../domain/event.ts';
import type { ForeignTool } from '../../domain/foreign-tools.ts';
import type { Place } from '../../domain/project.ts';
import { readClaudeMem } from '../../store/foreign/claude-mem.ts';
import { readClaudeMemory, splitNote } from '../../store/foreign/claude-memory.ts';
import { readCodexMemories } from '../../store/foreign/codex-memories.ts';
import { type ForeignNote, readMarkdownFolder } from '../../store/foreign/foreign-note.ts';
import { readTriforgeChats, triforgeFolder } from '../../store/foreign/triforge.ts';
import { dryRunParts } from '../capture/dry-run.ts';
import { createEventWriter } from '../capture/event-writer.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { resolvePlace } from '../projects/projects.ts';
import { importEvents } from '../wait-for-writer.ts';
import { importNotes, newNotes } from './import-notes.ts';

export interface ForeignPlaces {
  place: Place;
  folders: AgentFolders;
  userHome: string;
  /** Path of the tool's store, if it is not the default one. */
  from?: string;
}

export interface StoreImport {
  notes: number;
  events: number;
}

export async function importStore(
  parts: OpenProject,
  tool: ForeignTool,
  where: ForeignPlaces,
): Promise<StoreImport> {
  const notes = await importNotes(parts, tool, notesOf(parts, tool, where), trustOf(tool));
  return { notes, events: tool === 'triforge' ? await importChats(parts, where) : 0 };
}

/** Returns what `importStore` would import. Writes nothing. */
export async function countStore(
  parts: OpenProject,
  tool: ForeignTool,
  where: ForeignPlaces,
): Promise<StoreImport> {
  const writer = createEventWriter(dryRunParts(parts), 'claude-code');
  if (tool === 'triforge') await addChats(writer, where);
  const fresh = await newNotes(parts, tool, notesOf(parts, tool, where), trustOf(tool));
  return { notes: fresh.length, events: writer.flush() };
}

/**
 * The store of `thehook` is in the repository, so its text is from third parties until the user approves it. The other
 * stores were written by agents.
 */
const trustOf = (tool: ForeignTool): Trust => (tool === 'thehook' ? 0 : 1);

function notesOf({ paths, clock }: OpenProject, tool: ForeignTool, where: ForeignPlaces): ForeignNote[] {
  const { place, folders, userHome, from } = where;
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
    case 'triforge':
      return readMarkdownFolder(storeOfTriforge(where), '', 'summary').flatMap(splitNote);
    case 'claude-memory':
      return from === undefined
        ? readClaudeMemory(claudeProjectFolder(folders['claude-code'].config, place.root), 'memory', true)
        : readClaudeMemory(from, '', false);
    case 'codex-memory': {
      const isHere = (cwd: string): boolean =>
        isAbsolute(cwd) && resolvePlace(paths, cwd, clock).place.project === place.project;
      return readCodexMemories(from ?? join(folders.codex.state, 'memories'), isHere);
    }
    case 'basic-memory':
      return readMarkdownFolder(from ?? join(userHome, 'basic-memory'), '', 'knowledge');
  }
}

const storeOfTriforge = ({ place, folders, from }: ForeignPlaces): string =>
  from ?? triforgeFolder(folders['claude-code'].config, place.root);

const importChats = (parts: OpenProject, where: ForeignPlaces): Promise<number> =>
  importEvents(parts, async (index) => {
    const writer = createEventWriter({ ...parts, index }, 'claude-code');
    await addChats(writer, where);
    return writer.flush();
  });

async function addChats(
  writer: Pick<ReturnType<typeof createEventWriter>, 'add'>,
  where: ForeignPlaces,
): Promise<void> {
  for (const chat of readTriforgeChats(storeOfTriforge(where))) {
    await writer.add({
      kind: chat.role === 'user' ? 'prompt' : 'answer',
      id: hashId('triforge', chat.key),
      origin: 'import',
      // The tool that stored the memory may have modified the text, so it is not exactly what the user wrote.
      trust: 1,
      at: chat.at,
      agentSession: chat.session,
      body: { text: chat.text },
    });
  }
}
