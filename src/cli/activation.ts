import { isoTime } from '../base/clock.ts';
import { type Overrides, readOverrides } from '../base/config.ts';
import { AppError } from '../base/errors.ts';
import { writeJson } from '../base/files.ts';
import { beginPause, endPause } from '../memory/projects/pauses.ts';
import { durationMs } from '../recall/parse-filter.ts';
import type { Command } from './command.ts';
import { isSet } from './command.ts';

const change = (path: string, changes: Overrides): void =>
  writeJson(path, { ...readOverrides(path), ...changes });

/**
 * Completes "… needs a person". Only a person may switch capture: an agent must not turn it off to work unseen, nor on
 * against the user's choice.
 */
const changesCapture = 'Changing what is captured';

export const initCommand: Command = {
  name: 'init',
  usage: 'init',
  summary: 'Turn capture on for this project (needed only if `capture` is "opted-in" or was turned off).',
  group: 'Control',
  needsPerson: changesCapture,
  async run(app) {
    const place = app.rememberPlace();
    change(app.paths.project(place.project).config, { capture: 'on' });
    endPause(app.paths, app.clock.now(), place.project);
    return { value: { project: place.project, capture: 'on' }, text: `Capture is on for ${place.name}.` };
  },
};

export const offCommand: Command = {
  name: 'off',
  usage: 'off',
  summary: 'Turn capture off for this project. Existing memory stays; `init` turns capture on again.',
  group: 'Control',
  needsPerson: changesCapture,
  async run(app) {
    const place = app.rememberPlace();
    change(app.paths.project(place.project).config, { capture: 'off' });
    beginPause(app.paths, app.clock.now(), null, place.project);
    return {
      value: { project: place.project, capture: 'off' },
      text: `Capture is off for ${place.name}. To turn it on again: backstory init`,
    };
  },
};

const forever = '9999-12-31T00:00:00.000Z';

export const pauseCommand: Command = {
  name: 'pause',
  usage: 'pause [1h] [--off]',
  summary: 'Pause capture in all projects, for a time or until `pause --off`.',
  group: 'Control',
  options: { off: { type: 'boolean' } },
  needsPerson: changesCapture,
  async run(app, args) {
    const length = args.positionals[0];
    const ms = length === undefined ? undefined : durationMs(length);
    if (length !== undefined && ms === undefined) {
      throw new AppError('INVALID_ARGUMENT', `${length} is not a duration`, {
        hint: 'backstory pause 1h',
      });
    }
    const pausedUntil = isSet(args, 'off') ? '' : ms === undefined ? forever : isoTime(app.clock.now() + ms);
    change(app.paths.config, { pausedUntil });
    endPause(app.paths, app.clock.now());
    if (pausedUntil !== '')
      beginPause(app.paths, app.clock.now(), ms === undefined ? null : app.clock.now() + ms);
    const text =
      pausedUntil === ''
        ? 'Capture is on again.'
        : `Paused ${ms === undefined ? 'until `backstory pause --off`' : `until ${pausedUntil}`}.`;
    return { value: { pausedUntil }, text };
  },
};

export const excludeCommand: Command = {
  name: 'exclude',
  usage: 'exclude GLOB… [--remove]',
  summary: 'Never capture matching folders or files, such as ~/clients/** or *.pem.',
  group: 'Control',
  options: { remove: { type: 'boolean' } },
  needsPerson: ({ positionals }) => (positionals.length === 0 ? undefined : changesCapture),
  async run(app, args) {
    const known = readOverrides(app.paths.config).exclude ?? [];
    const exclude = isSet(args, 'remove')
      ? known.filter((glob) => !args.positionals.includes(glob))
      : [...new Set([...known, ...args.positionals])];
    if (args.positionals.length > 0) change(app.paths.config, { exclude });
    return { value: { exclude }, text: exclude.length === 0 ? 'Nothing is excluded.' : exclude.join('\n') };
  },
};
