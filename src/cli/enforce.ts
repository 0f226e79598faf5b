import { AppError } from '../base/errors.ts';
import { shortNoteId } from '../domain/note.ts';
import { enforceNote } from '../memory/notes/remember.ts';
import { refreshPrelude } from '../memory/refresh-prelude.ts';
import { matchersOf } from '../memory/rules/compile-rules.ts';
import { describeMatcher } from '../memory/rules/describe-matcher.ts';
import { plural } from '../text/plural.ts';
import type { Command } from './command.ts';
import { isSet } from './command.ts';
import { noteParts } from './remember.ts';
import { noteArgument } from './show.ts';

const maxShown = 6;

export const enforceCommand: Command = {
  name: 'enforce',
  usage: 'enforce ID [--off]',
  summary:
    'Deny tool calls of agents that go against a rule, instead of only telling the agent. Also pins it.',
  group: 'Memory',
  options: { off: { type: 'boolean' } },
  needsPerson: 'Enforcing a rule',
  async run(app, args) {
    const { note } = await noteArgument(app, args);
    const isOn = !isSet(args, 'off');
    const matchers = matchersOf(note);
    if (isOn && matchers.length === 0) {
      throw new AppError(
        'INVALID_ARGUMENT',
        'the note rules out no command, package, path or code that could be compared',
        {
          hint: `Say what must not be done, for example "use pnpm, never npm": backstory edit ${shortNoteId(note.id)}`,
        },
      );
    }
    const place = app.rememberPlace();
    const parts = app.open({ id: place.project, name: place.name });
    const changed = await enforceNote(noteParts(app, parts, place), note, isOn);
    await refreshPrelude(parts);
    if (!isOn) return { value: changed, text: `No longer enforced: ${changed.title}` };
    const shown = [...new Set(matchers.map(describeMatcher))];
    const more = shown.length > maxShown ? [`  and ${plural(shown.length - maxShown, 'more')}`] : [];
    return {
      value: changed,
      text: [
        `Enforced: ${changed.title}`,
        'Denied:',
        ...shown.slice(0, maxShown).map((line) => `  ${line}`),
        ...more,
      ].join('\n'),
    };
  },
};
