import { isoTime } from '../base/clock.ts';
import { type Overrides, readOverrides } from '../base/config.ts';
import { AppError } from '../base/errors.ts';
import { writeJson } from '../base/files.ts';
import { beginPause, endPause } from '../memory/projects/pauses.ts';
import { durationMs } from '../recall/parse-filter.ts';
import { linkProjects, listAllProjects, splitProject } from './capture-projects.ts';
import type { App, Command, Outcome, ParsedArgs } from './command.ts';
import { isSet } from './command.ts';

const actions: Record<string, (app: App, words: string[], args: ParsedArgs) => Outcome> = {
  on: (app) => turn(app, 'on'),
  off: (app) => turn(app, 'off'),
  pause,
  resume,
  exclude,
  projects: listAllProjects,
  link: linkProjects,
  split: splitProject,
};

export const captureCommand: Command = {
  name: 'capture',
  usage:
    'capture [on | off | pause [1h] | resume | exclude [GLOB… [--remove]] | projects | link FROM INTO | split [PATH]]',
  summary:
    'Show or change what is captured: in this project, in all of them, and which folder is which project.',
  group: 'Control',
  options: { remove: { about: 'Remove the patterns from the excluded ones.' } },
  // An agent must not turn capture off to work unseen, nor on against the user's choice.
  needsPerson: ({ positionals: [action = 'projects', ...words] }) =>
    action === 'projects' || (action === 'exclude' && words.length === 0)
      ? undefined
      : 'Changing what is captured',
  async run(app, args) {
    const [action, ...words] = args.positionals;
    if (action === undefined) return state(app);
    const act = Object.hasOwn(actions, action) ? actions[action] : undefined;
    if (act !== undefined) return act(app, words, args);
    throw new AppError('INVALID_ARGUMENT', `unknown action: ${action}`, { hint: 'backstory capture --help' });
  },
};

const change = (path: string, changes: Overrides): void =>
  writeJson(path, { ...readOverrides(path, Object.keys(changes)), ...changes });

/** Says what is true after a change: another setting may still keep capture off, for example a pause. */
function state(app: App): Outcome {
  const place = app.place();
  const activation = app.activation();
  return {
    value: {
      project: place.project,
      capture: activation.on ? 'on' : 'off',
      ...(activation.on ? {} : { reason: activation.reason }),
    },
    text: activation.on
      ? `Capture is on for ${place.name}.`
      : `Capture is off for ${place.name}: ${activation.reason}.`,
  };
}

function turn(app: App, capture: 'on' | 'off'): Outcome {
  const { project } = app.rememberPlace();
  change(app.paths.project(project).config, { capture });
  if (capture === 'on') endPause(app.paths, app.clock.now(), project);
  else beginPause(app.paths, app.clock.now(), null, project);
  return state(app);
}

const forever = '9999-12-31T00:00:00.000Z';

function pause(app: App, [length]: string[]): Outcome {
  const ms = length === undefined ? undefined : durationMs(length);
  if (length !== undefined && ms === undefined)
    throw new AppError('INVALID_ARGUMENT', `${length} is not a duration`, {
      hint: 'backstory capture pause 1h',
    });
  const now = app.clock.now();
  change(app.paths.config, { pausedUntil: ms === undefined ? forever : isoTime(now + ms) });
  endPause(app.paths, now);
  beginPause(app.paths, now, ms === undefined ? null : now + ms);
  return state(app);
}

function resume(app: App): Outcome {
  change(app.paths.config, { pausedUntil: '' });
  endPause(app.paths, app.clock.now());
  return state(app);
}

function exclude(app: App, globs: string[], args: ParsedArgs): Outcome {
  const known = readOverrides(app.paths.config).exclude ?? [];
  const excluded = isSet(args, 'remove')
    ? known.filter((glob) => !globs.includes(glob))
    : [...new Set([...known, ...globs])];
  if (globs.length > 0) change(app.paths.config, { exclude: excluded });
  return {
    value: { exclude: excluded },
    text: excluded.length === 0 ? 'Nothing is excluded.' : excluded.join('\n'),
  };
}
