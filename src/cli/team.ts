import { AppError } from '../base/errors.ts';
import type { App, Command, Outcome, ParsedArgs } from './command.ts';
import { join, leave } from './team-join.ts';
import { distrust, report, trust } from './team-settings.ts';
import { pull, push, status, takeBack } from './team-sync.ts';

/** Commands for members of a team. Those for operators, such as `team serve`, are in cmd/team.ts. */
const verbs: Record<string, (app: App, args: ParsedArgs) => Promise<Outcome>> = {
  join,
  leave,
  push,
  'take-back': takeBack,
  pull,
  trust,
  distrust,
  report,
  status,
};

export const teamCommand: Command = {
  name: 'team',
  usage:
    'team join URL [--project NAME] [--token-stdin] [--plain-http] | push [NOTE…] | take-back NOTE… | pull | trust [MEMBER] | distrust MEMBER | report on|off|status | status | leave',
  summary: 'Share chosen notes with your team and get theirs, which you accept with `backstory review`.',
  group: 'Control',
  options: {
    project: { about: "Name or id of the team's project.", value: 'NAME' },
    'token-stdin': { about: 'Read your token from stdin instead of signing in with a code.' },
    'plain-http': { about: 'Allow a server without TLS on another machine.' },
  },
  needsPerson: ({ positionals: [verb, setting = 'status'] }) =>
    verb === 'join'
      ? 'Joining a team, whose server gets your questions,'
      : verb === 'trust' && setting !== 'status'
        ? 'Trusting what a member of the team writes'
        : verb === 'push' || verb === 'take-back' || (verb === 'report' && setting !== 'status')
          ? 'Changing what is shared with your team'
          : undefined,
  async run(app, args) {
    const [verb = '', ...positionals] = args.positionals;
    const run = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
    if (run !== undefined) return run(app, { ...args, positionals });
    const problem = verb === '' ? 'no team command given' : `unknown team command: ${verb}`;
    throw new AppError('INVALID_ARGUMENT', problem, { hint: 'backstory team status' });
  },
};
