import { AppError } from '../base/errors.ts';
import { readTeamCache } from '../memory/team-cache.ts';
import { joinTeam } from '../remote/membership.ts';
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
