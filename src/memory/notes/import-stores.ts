import { join } from 'node:path';
import { claudeProjectFolder } from '../../agents/claude-code/transcript.ts';
import type { AgentFolders } from '../../agents/setup.ts';
import type { Trust } from '../../domain/event.ts';
import type { ForeignTool } from '../../domain/foreign-tools.ts';
import type { Place } from '../../domain/project.ts';
import { readClaudeMem } from '../../store/foreign/claude-mem.ts';
import { readClaudeMemory, splitNote } from '../../store/foreign/claude-memory.ts';
import { type ForeignNote, readMarkdownFolder } from '../../store/foreign/foreign-note.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { importNotes } from './import-notes.ts';

export interface ForeignPlaces {
  place: Place;
  folders: AgentFolders;
  userHome: string;
  from?: string;
}

/** `thehook` keeps its store in the repository, so its text is from third parties. Agents wrote the others. */
const trustOf = (tool: ForeignTool): Trust => (tool === 'thehook' ? 0 : 1);

export const importStore = (parts: OpenProject, tool: ForeignTool, where: ForeignPlaces): Promise<number> =>
  importNotes(parts, tool, notesOf(tool, where), trustOf(tool));

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
