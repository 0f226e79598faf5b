import { AppError } from '../base/errors.ts';
import { shortNoteId } from '../domain/note.ts';
import { statementOf } from '../memory/notes/closing.ts';
import { type Opened, openHit } from '../memory/sessions/open-hit.ts';
import { thoroughLimits } from '../recall/with-index.ts';
import { showMemory } from '../remote/show-memory.ts';
import { type App, type Command, isSet, type ParsedArgs } from './command.ts';
import { showAround } from './show-around.ts';

export const showCommand: Command = {
  name: 'show',
  usage: 'show ID… | ID|TIME|QUESTION --around [--before N] [--after N]',
  summary: 'Show results of recall in full, or what happened around one.',
  group: 'Memory',
  options: {
    around: { about: 'Show what happened before and after it.' },
    before: { about: 'With --around: number of events before it.', value: 'N' },
    after: { about: 'With --around: number of events after it.', value: 'N' },
  },
  async run(app, args) {
    if (isSet(args, 'around')) return showAround(app, args);
    if (args.positionals.length === 0)
      throw new AppError('INVALID_ARGUMENT', 'no id given', { hint: 'backstory recall "…"' });
    const shown = await Promise.all(args.positionals.map((id) => show(app, id)));
    return { value: shown.map(({ value }) => value), text: shown.map(({ text }) => text).join('\n\n') };
  },
};

async function show(app: App, id: string): Promise<{ value: unknown; text: string }> {
  const shown = await showMemory(app.open(), id, thoroughLimits, app.checkedCode());
  const { text } = shown;
  if (shown.team !== undefined) return { value: { ...shown.team.memory, team: shown.team.name }, text };
  const { opened, drift } = shown;
  return { value: { ...(opened.kind === 'note' ? noteValue(opened) : opened.event), drift }, text };
}

const noteValue = ({ note, path, earlier, standing }: Extract<Opened, { kind: 'note' }>) => ({
  ...note,
  path,
  ...(earlier.length === 0 ? {} : { earlier: earlier.map(statementOf) }),
  standing,
});

export function openById(app: App, id: string): Promise<Opened> {
  return openHit(app.open(), id, thoroughLimits);
}

export async function noteArgument(app: App, args: ParsedArgs): Promise<Extract<Opened, { kind: 'note' }>> {
  const id = args.positionals[0];
  const opened = id === undefined ? undefined : await openById(app, id);
  if (opened?.kind === 'note') return opened;
  if (opened === undefined)
    throw new AppError('INVALID_ARGUMENT', 'no note given', { hint: 'backstory recall --in notes "…"' });
  // The user probably means the note that was extracted from this event.
  const extracted = (await app.open().notes.list()).find(({ derivedFrom }) =>
    derivedFrom.includes(opened.event.id),
  );
  throw new AppError(
    'INVALID_ARGUMENT',
    `${id} is an event of a session, not a note, and events cannot be changed`,
    {
      hint:
        extracted === undefined
          ? 'backstory remember "…" to write a note, backstory forget to delete the event'
          : `backstory show ${shortNoteId(extracted.id)}, the note extracted from it`,
    },
  );
}
