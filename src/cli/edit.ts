import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { replaceFile } from '../base/files.ts';
import { randomHex } from '../base/ids.ts';
import { shortNoteId } from '../domain/note.ts';
import { editNote } from '../memory/notes/remember.ts';
import type { Command } from './command.ts';
import { stringOf } from './command.ts';
import { noteParts } from './remember.ts';
import { noteArgument } from './show.ts';

export const editCommand: Command = {
  name: 'edit',
  usage: 'edit ID [--text TEXT]',
  summary: 'Edit a note in your editor or with --text.',
  group: 'Memory',
  options: { text: { type: 'string' } },
  needsPerson: 'Editing a note',
  async run(app, args) {
    const { note } = await noteArgument(app, args);
    const text = stringOf(args, 'text') ?? (await editInEditor(app.edit, note.text));
    if (text.trim() === note.text.trim()) return { value: note, text: 'Nothing changed.' };
    const place = app.rememberPlace();
    const parts = app.open({ id: place.project, name: place.name });
    const edited = await editNote(noteParts(app, parts, place), note, text);
    return {
      value: edited,
      text: `Changed ${app.style.bold(shortNoteId(edited.id))}: ${(await parts.notes.path(edited.id)) ?? ''}`,
    };
  },
};

/** Edits a copy, so that a half-written text is never saved as the note. */
export async function editInEditor(edit: (path: string) => Promise<void>, text: string): Promise<string> {
  const copy = join(tmpdir(), `backstory-note-${randomHex(6)}.md`);
  replaceFile(copy, `${text}\n`);
  try {
    await edit(copy);
    return readFileSync(copy, 'utf8');
  } finally {
    rmSync(copy, { force: true });
  }
}
