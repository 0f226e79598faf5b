import { AppError } from '../base/errors.ts';
import { readTeamCache } from '../memory/team-cache.ts';
import { joinTeam, membershipOf } from '../remote/membership.ts';
import { setReporting } from '../remote/report-jobs.ts';
import { readState } from '../remote/sync-state.ts';
import { safeName } from '../text/safe-name.ts';
import type { App, Outcome, ParsedArgs } from './command.ts';
import { openTeam } from './team-sync.ts';

/** The server says which accounts of the tracker are whose; whom to believe is decided on each machine. */
export async function trust(app: App, { positionals: [name] }: ParsedArgs): Promise<Outcome> {
  const { membership, parts } = openTeam(app);
  const { trusted = [] } = membership;
  const cache = readTeamCache(app.paths.project(parts.project).teamMemories);
  const members = new Map((cache?.writers ?? []).map((writer) => [writer.person, writer.name]));
  if (name === undefined) {
    const all = new Map([...members, ...trusted.map((member) => [member.id, member.name] as const)]);
    const listed = [...all].map(([id, own]) => ({
      id,
      name: own,
      isTrusted: trusted.some((member) => member.id === id),
    }));
    const lines = listed.map(
      (one) => `${safeName('person', one.name)}  ${one.isTrusted ? '' : 'not '}trusted`,
    );
    return {
      value: { members: listed },
      text: lines.join('\n') || 'No issue of the team is by a member whose account is linked.',
    };
  }
  const found = [...members].filter(([id, own]) => own === name || id === name);
  const [only] = found;
  if (only === undefined || found.length > 1)
    throw new AppError('NOT_FOUND', `no issue of the team is by a member called ${name}`, {
      hint: 'backstory team pull, then backstory team trust. An operator links accounts: backstory team member link',
    });
  const member = { id: only[0], name: only[1] };
  const others = trusted.filter(({ id }) => id !== member.id);
  joinTeam(app.paths, parts.project, { ...membership, trusted: [...others, member] });
  return {
    value: { trusted: member },
    text: `First prompts may quote the issues and comments of ${safeName('person', member.name)}. To end it: backstory team distrust ${safeName('person', member.name)}`,
  };
}

export async function distrust(app: App, { positionals: [name = ''] }: ParsedArgs): Promise<Outcome> {
  const { membership, parts } = openTeam(app);
  const { trusted = [], ...rest } = membership;
  const kept = trusted.filter((member) => member.name !== name && member.id !== name);
  if (kept.length === trusted.length)
    throw new AppError('NOT_FOUND', `you do not trust anybody called ${name}`, {
      hint: 'backstory team trust',
    });
  joinTeam(app.paths, parts.project, { ...rest, trusted: kept });
  return { value: { distrusted: name }, text: `Texts of ${name} are not quoted any longer.` };
}

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
