import { AppError } from '../base/errors.ts';
import { type Match, matcherKinds } from '../domain/match.ts';
import { type Note, shortNoteId } from '../domain/note.ts';
import { matchText } from '../memory/notes/match-text.ts';
import { notePartsOf } from '../memory/notes/note-parts.ts';
import { enforceNote, unenforceNote } from '../memory/notes/remember.ts';
import { refreshPrelude } from '../memory/refresh-prelude.ts';
import { checkMatch } from '../memory/rules/check-match.ts';
import { unseenForms } from '../memory/rules/unseen-forms.ts';
import type { App, Command, Option, Outcome, ParsedArgs } from './command.ts';
import { isSet } from './command.ts';
import { noteArgument } from './show.ts';

const matcher = (about: string, value: string): Option => ({ multiple: true, about, value });

export const enforceCommand: Command = {
  name: 'enforce',
  usage: 'enforce [ID] [--command WORDS]… [--path GLOB]… [--package NAME]… [--text TEXT]… [--tell | --off]',
  summary:
    'Name tool calls that go against a note. Agents are denied them, or with --tell told the note. Without an ID, list such notes.',
  group: 'Memory',
  options: {
    command: matcher('A command, such as "git push --force".', 'WORDS'),
    path: matcher('A file that is written or deleted, such as "legacy/**".', 'GLOB'),
    package: matcher('A package that is installed or added to a manifest.', 'NAME'),
    text: matcher('Text that an edit adds.', 'TEXT'),
    tell: { about: 'Tell the agent the note, once in a session, instead of denying the call.' },
    off: { about: 'Compare the note with no tool calls. It stays pinned.' },
  },
  needsPerson: ({ positionals }) => (positionals.length === 0 ? undefined : 'Enforcing a rule'),
  async run(app, args) {
    const match = matchOf(args);
    if (args.positionals.length === 0 && Object.keys(match).length === 0) return listRules(app);
    const { note } = await noteArgument(app, args);
    const place = app.rememberPlace();
    const parts = app.open(place.project);
    const written = notePartsOf(parts, app.context(place));
    if (isSet(args, 'off')) {
      const changed = await unenforceNote(written, note);
      await refreshPrelude(parts);
      return { value: changed, text: `No longer compared with tool calls: ${changed.title}` };
    }
    if (note.match === undefined && note.proposedMatch === undefined && Object.keys(match).length === 0)
      throw new AppError('INVALID_ARGUMENT', 'the note names no tool call', {
        hint: `backstory enforce ${shortNoteId(note.id)} --command '…', or --path, --package, --text`,
      });
    const changed = await enforceNote(written, note, { match, isTold: isSet(args, 'tell') });
    await refreshPrelude(parts);
    const unseen = unseenForms(changed.match ?? {}).map((line) => app.style.dim(`  ${line}`));
    return { value: changed, text: [ruleText(app, changed), ...unseen].join('\n') };
  },
};

const matchOf = ({ values }: ParsedArgs): Match =>
  checkMatch(
    Object.fromEntries(
      matcherKinds.flatMap((kind) => (values[kind] === undefined ? [] : [[kind, values[kind] as string[]]])),
    ),
  );

const ruleText = ({ style }: App, note: Note): string =>
  [`${style.bold(shortNoteId(note.id))} ${note.title}`, ...matchText(note).map((line) => `  ${line}`)].join(
    '\n',
  );

async function listRules(app: App): Promise<Outcome> {
  const notes = (await app.open().notes.list()).filter(
    ({ state, match }) => state === 'active' && match !== undefined,
  );
  const lines = notes.map((note) => ruleText(app, note));
  return { value: notes, text: lines.join('\n') || 'No note names a tool call.' };
}
