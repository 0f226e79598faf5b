import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../base/errors.ts';
import { replaceFile } from '../base/files.ts';
import { randomHex } from '../base/ids.ts';
import { isFromTeam, type Note, shortNoteId } from '../domain/note.ts';
import { topicKinds } from '../domain/topic-kind.ts';
import { reopenStatement } from '../memory/notes/closing.ts';
import { correctNote } from '../memory/notes/correct-note.ts';
import { notePartsOf } from '../memory/notes/note-parts.ts';
import { editNote, type NoteParts, pinNote } from '../memory/notes/remember.ts';
import { refreshPrelude } from '../memory/refresh-prelude.ts';
import { membershipOf } from '../remote/membership.ts';
import type { App, Command, Outcome, ParsedArgs } from './command.ts';
import { isSet, stringOf } from './command.ts';
import { kindOption } from './remember.ts';
import { noteArgument } from './show.ts';

export const editCommand: Command = {
  name: 'edit',
  usage: 'edit ID [--text TEXT] [--kind KIND] | --wrong [--now TEXT] | --reopen | --pin | --unpin',
  summary: 'Change a note, or say that it is wrong. Its history stays.',
  group: 'Memory',
  options: {
    text: { about: 'New text, instead of opening an editor.', value: 'TEXT' },
    kind: { about: 'New kind of the note.', value: 'KIND', choices: topicKinds },
    wrong: { about: 'The note is wrong: new sessions no longer receive it.' },
    now: { about: 'With --wrong: the right statement, which replaces it.', value: 'TEXT' },
    reopen: { about: 'Make a closed note valid again.' },
    pin: { about: "Put the note at the top of every prelude. This also approves an agent's note." },
    unpin: { about: 'Undo --pin.' },
  },
  needsPerson: 'Changing a note',
  async run(app, args) {
    const { note } = await noteArgument(app, args);
    const action = Object.keys(actions).find((name) => isSet(args, name)) ?? 'text';
    const place = app.rememberPlace();
    const parts = app.open(place.project);
    const change = actions[action] ?? editText;
    const outcome = await change({ app, args, note, parts: notePartsOf(parts, app.context(place)) });
    await refreshPrelude(parts);
    return outcome;
  },
};

interface Change {
  app: App;
  args: ParsedArgs;
  note: Note;
  parts: NoteParts;
}

const actions: Record<string, (change: Change) => Promise<Outcome>> = {
  wrong: correct,
  reopen,
  pin: (change) => pin(change, true),
  unpin: (change) => pin(change, false),
};

async function editText({ app, args, note, parts }: Change): Promise<Outcome> {
  const kind = kindOption(args) ?? note.kind;
  const text =
    stringOf(args, 'text') ?? (kind === note.kind ? await editInEditor(app.edit, note.text) : note.text);
  if (text.trim() === note.text.trim() && kind === note.kind)
    return { value: note, text: 'Nothing changed.' };
  const edited = await editNote(parts, note, text, kind);
  return { value: edited, text: `Changed ${app.style.bold(shortNoteId(edited.id))}: ${edited.title}` };
}

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

async function correct({ app, args, note, parts }: Change): Promise<Outcome> {
  const correction = await correctNote(parts, note, stringOf(args, 'now'));
  const { now } = correction;
  const outcome =
    now === undefined
      ? 'New sessions no longer receive it.'
      : `It is replaced by ${app.style.bold(shortNoteId(now.id))}: ${now.title}`;
  const isTeams = isFromTeam(note) && membershipOf(app.paths, app.place().project) !== undefined;
  const team = isTeams
    ? `\nThe note is a teammate's. The next sync tells your team that you dispute it${now === undefined ? '' : ', with your correction'}. To take that back: backstory review --accept ${shortNoteId(note.id)}`
    : '';
  return { value: correction, text: `Withdrawn: ${note.title}\n${outcome}${team}` };
}

async function reopen({ note, parts }: Change): Promise<Outcome> {
  if (note.state !== 'superseded')
    throw new AppError('CONFLICT', `the note is ${note.state}, not closed`, {
      hint: `backstory show ${shortNoteId(note.id)}`,
    });
  return { value: await reopenStatement(parts, note), text: `Valid again: ${note.title}` };
}

async function pin({ note, parts }: Change, isPinned: boolean): Promise<Outcome> {
  const pinned = await pinNote(parts, note, isPinned);
  return { value: pinned, text: `${isPinned ? 'Pinned' : 'Unpinned'}: ${pinned.title}` };
}
