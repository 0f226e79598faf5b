import { AppError } from '../base/errors.ts';
import type { Caller } from '../domain/caller.ts';
import { shortNoteId } from '../domain/note.ts';
import { type TopicKind, topicKinds } from '../domain/topic-kind.ts';
import { anchorsFromUser } from '../drift/anchors-from-user.ts';
import { notePartsOf } from '../memory/notes/note-parts.ts';
import { rememberOnce } from '../memory/notes/remember.ts';
import { redactionLine } from '../memory/redact/redacted-kinds.ts';
import { writeProjectRules } from '../memory/rules/project-rules.ts';
import type { Command, ParsedArgs } from './command.ts';
import { isSet, stringOf } from './command.ts';

export const rememberCommand: Command = {
  name: 'remember',
  usage: 'remember TEXT [--kind KIND] [--concepts A,B] [--files FILE[:LINE[-LINE]],…] [--everywhere]',
  summary:
    'Write a note. New agent sessions get it; a note written by an agent or a script waits for review.',
  group: 'Memory',
  options: {
    kind: { about: 'Kind of the note.', value: 'KIND', choices: topicKinds },
    concepts: { about: 'Concepts of the note, separated by commas.', value: 'A,B' },
    files: { about: 'Files the note is about, separated by commas.', value: 'A,B' },
    everywhere: { about: 'Make it a statement of yours in every project.' },
  },
  needsPerson: (args) => (isSet(args, 'everywhere') ? 'Writing a note for every project' : undefined),
  async run(app, args) {
    const isForAll = isSet(args, 'everywhere');
    const kind = kindOption(args) ?? (isForAll ? 'preference' : 'decision');
    if (isForAll && stringOf(args, 'files') !== undefined)
      throw new AppError('INVALID_ARGUMENT', 'a note for every project cannot be about files of this one', {
        hint: 'Leave out --files, or --everywhere',
      });
    const caller = app.caller();
    const isPerson = caller.kind === 'person';
    const place = app.rememberPlace();
    const parts = app.open(place.project);
    const typed = args.positionals.join(' ');
    const { note, isKnown } = await rememberOnce(notePartsOf(parts, app.context(place)), {
      text: typed,
      kind,
      concepts: commaList(stringOf(args, 'concepts')),
      ...(await anchorsFromUser(commaList(stringOf(args, 'files')), app.checkedCode(), place.head)),
      trust: isPerson ? 3 : 1,
      author: caller.kind === 'agent' ? caller.agent : app.context(place).actor,
      ...(isForAll ? { everywhere: true as const } : {}),
    });
    if (note.state === 'active') await writeProjectRules(parts);
    const path = (await parts.notes.path(note.id)) ?? '';
    const redaction = redactionLine(typed, note.text);
    const value = { ...note, path, ...(redaction === '' ? {} : { redaction }) };
    const more = redaction === '' ? '' : `\n${redaction}`;
    if (note.state === 'candidate')
      return { value, text: waiting(app.style.bold(shortNoteId(note.id)), caller) + more };
    return {
      value,
      text: `${isKnown ? 'Already remembered' : 'Remembered'}${isForAll ? ' for every project' : ''} as ${app.style.bold(shortNoteId(note.id))}: ${path}${more}`,
    };
  },
};

export const kindOption = (args: ParsedArgs): TopicKind | undefined =>
  stringOf(args, 'kind') as TopicKind | undefined;

function waiting(id: string, caller: Caller): string {
  const why = caller.kind === 'unproven' ? caller.reason : 'an agent wrote it';
  return `Saved as a candidate, ${id}, because ${why}. It can be recalled now. New sessions get it once the user has accepted it.`;
}

const commaList = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
