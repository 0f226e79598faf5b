import { AppError } from '../base/errors.ts';
import { membershipOf } from '../remote/membership.ts';
import { setReporting } from '../remote/report-jobs.ts';
import { readState } from '../remote/sync-state.ts';
import type { App, Outcome, ParsedArgs } from './command.ts';
import { openTeam } from './team-sync.ts';

export async function report(app: App, { positionals: [setting = 'status'] }: ParsedArgs): Promise<Outcome> {
  const { project } = openTeam(app).parts;
  if (!['on', 'off', 'status'].includes(setting))
    throw new AppError('INVALID_ARGUMENT', `unknown setting: ${setting}`, {
      hint: 'backstory team report on',
    });
  if (setting !== 'status') setReporting({ paths: app.paths, project, clock: app.clock }, setting === 'on');
  const since = membershipOf(app.paths, project)?.reportsSince;
  const reported = Object.keys(readState(app.paths.project(project).teamSync).reported ?? {}).length;
  return {
    value: { reports: since === undefined ? 'off' : 'on', since: since ?? null, reported },
    text:
      since === undefined
        ? 'Reports are off. Sessions of agents are not sent to the team.'
        : [
            `Reports are on since ${since}. ${reported} sessions have been looked at.`,
            'When a session of an agent has ended and files have changed, the team gets its first prompt, the statements found in it, the changed files and the commits, redacted. No transcript and no code is sent.',
          ].join('\n'),
  };
}
