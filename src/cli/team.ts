import { AppError } from '../base/errors.ts';
import type { App, Command, Given, Outcome } from './command.ts';

/** What a developer does with a team's memory; `team serve` and the rest of the operator's are a program of their own. */
const verbs: Record<string, () => Promise<(app: App, given: Given) => Promise<Outcome>>> = {
  join: async () => (await import('./team-join.ts')).join,
  leave: async () => (await import('./team-join.ts')).leave,
  push: async () => (await import('./team-sync.ts')).push,
  'take-back': async () => (await import('./team-sync.ts')).takeBack,
  pull: async () => (await import('./team-sync.ts')).pull,
  status: async () => (await import('./team-sync.ts')).status,
};

export const teamCommand: Command = {
  name: 'team',
  usage:
    'team join URL [--project NAME] [--token-stdin] [--plain-http] | push [NOTE…] | take-back NOTE… | pull | status | leave',
  summary: 'Share chosen notes with your team, and get theirs; `backstory review` lets them be told.',
  group: 'Control',
  options: {
    project: { type: 'string' },
    'token-stdin': { type: 'boolean' },
    'plain-http': { type: 'boolean' },
  },
  needsPerson: ({ positionals: [verb] }) =>
    verb === 'push' || verb === 'take-back' ? 'Changing what your team is told' : undefined,
  async run(app, given) {
    const [verb = '', ...positionals] = given.positionals;
    const load = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
    if (load === undefined)
      throw new AppError('INVALID_ARGUMENT', `there is no team command called ${verb}`, {
        hint: 'backstory team status',
      });
    return (await load())(app, { ...given, positionals });
  },
};
