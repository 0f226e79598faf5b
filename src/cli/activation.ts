import { isoTime } from '../base/clock.ts';
import { type Overrides, readOverrides } from '../base/config.ts';
import { AppError } from '../base/errors.ts';
import { writeJson } from '../base/files.ts';
import { beginSilence, endSilence } from '../memory/projects/pauses.ts';
import { durationMs } from '../recall/parse-filter.ts';
import type { Command } from './command.ts';
import { isSet } from './command.ts';

/** Where capture happens. Each of these is one setting; `backstory config` shows them all. */
const change = (path: string, changes: Overrides): void =>
  writeJson(path, { ...readOverrides(path), ...changes });

/** Both ways: an agent that switches it off works unseen, and who switched it off did so for a reason. */
const changesCapture = 'Changing what is captured';

export const initCommand: Command = {
  name: 'init',
  usage: 'init',
  summary: 'Capture this project (needed only where capture is "opted-in" or was switched off).',
  group: 'Control',
  needsPerson: changesCapture,
  async run(app) {
    const place = app.rememberPlace();
    change(app.paths.project(place.project).config, { capture: 'on' });
    endSilence(app.paths, app.clock.now(), place.project);
    return { value: { project: place.project, capture: 'on' }, text: `${place.name} is captured.` };
  },
};

export const offCommand: Command = {
  name: 'off',
  usage: 'off',
  summary: 'Capture nothing in this project any more. What is there stays; `init` switches it on again.',
  group: 'Control',
  needsPerson: changesCapture,
  async run(app) {
    const place = app.rememberPlace();
    change(app.paths.project(place.project).config, { capture: 'off' });
    beginSilence(app.paths, app.clock.now(), null, place.project);
    return {
      value: { project: place.project, capture: 'off' },
      text: `${place.name} is not captured any more.`,
    };
  },
};

const forever = '9999-12-31T00:00:00.000Z';

export const pauseCommand: Command = {
  name: 'pause',
  usage: 'pause [1h] [--off]',
  summary: 'Capture nothing anywhere, for a while or until `pause --off`.',
  group: 'Control',
  options: { off: { type: 'boolean' } },
  needsPerson: changesCapture,
  async run(app, given) {
    const length = given.positionals[0];
    const ms = length === undefined ? undefined : durationMs(length);
    if (length !== undefined && ms === undefined) {
      throw new AppError('INVALID_ARGUMENT', `${length} is not a length of time`, {
        hint: 'backstory pause 1h',
      });
    }
    const pausedUntil = isSet(given, 'off') ? '' : ms === undefined ? forever : isoTime(app.clock.now() + ms);
    change(app.paths.config, { pausedUntil });
    endSilence(app.paths, app.clock.now());
    if (pausedUntil !== '')
      beginSilence(app.paths, app.clock.now(), ms === undefined ? null : app.clock.now() + ms);
    const text =
      pausedUntil === ''
        ? 'Capturing again.'
        : `Paused ${ms === undefined ? 'until `backstory pause --off`' : `until ${pausedUntil}`}.`;
    return { value: { pausedUntil }, text };
  },
};

export const excludeCommand: Command = {
  name: 'exclude',
  usage: 'exclude GLOB… [--remove]',
  summary: 'Never capture folders or files that match, such as ~/clients/** or *.pem.',
  group: 'Control',
  options: { remove: { type: 'boolean' } },
  needsPerson: ({ positionals }) => (positionals.length === 0 ? undefined : changesCapture),
  async run(app, given) {
    const known = readOverrides(app.paths.config).exclude ?? [];
    const exclude = isSet(given, 'remove')
      ? known.filter((glob) => !given.positionals.includes(glob))
      : [...new Set([...known, ...given.positionals])];
    if (given.positionals.length > 0) change(app.paths.config, { exclude });
    return { value: { exclude }, text: exclude.length === 0 ? 'Nothing is excluded.' : exclude.join('\n') };
  },
};
