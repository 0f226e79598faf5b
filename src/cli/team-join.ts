import { AppError } from '../base/errors.ts';
import { notePartsOf } from '../memory/notes/note-parts.ts';
import { reviseNote, saveNote } from '../memory/notes/remember.ts';
import { listProjects } from '../memory/projects/projects.ts';
import {
  dropToken,
  joinTeam,
  keepToken,
  leaveTeam,
  membershipOf,
  serverUrl,
  tokenFor,
} from '../remote/membership.ts';
import { requestServer } from '../remote/request-server.ts';
import { signIn } from '../remote/sign-in.ts';
import type { TeamProject, TeamProjects } from '../wire/answers/team.ts';
import { type App, isSet, type Outcome, type ParsedArgs, stringOf } from './command.ts';

const timeoutMs = 10_000;

export async function join(app: App, args: ParsedArgs): Promise<Outcome> {
  const [typed] = args.positionals;
  if (typed === undefined)
    throw new AppError('INVALID_ARGUMENT', 'no server given', {
      hint: 'backstory team join https://team.example.org',
    });
  const url = serverUrl(typed, isSet(args, 'plain-http'));
  app.ensureActive();
  const here = app.rememberPlace();
  const { token, projects } = await listProjectsOf(app, args, url);
  const project = selectProject(projects, here, stringOf(args, 'project'));
  keepToken(app.paths, url, token);
  const before = membershipOf(app.paths, here.project);
  if (before !== undefined && (before.url !== url || before.project !== project.id))
    await unshareAll(app, here.project);
  joinTeam(app.paths, here.project, { v: 1, url, project: project.id, name: project.name });
  return {
    value: { url, project: project.id, name: project.name, role: project.role },
    text: [
      `Joined ${app.style.bold(here.name)} to the team project ${app.style.bold(project.name)} at ${url}; your role is ${project.role}.`,
      'Only notes that you push are sent: backstory team push NOTE',
      'Notes from the team wait for your review: backstory team pull, then backstory review',
    ].join('\n'),
  };
}

/** Lists the projects with the token that this machine has for the server, or, if it is not valid, after a sign-in. */
async function listProjectsOf(app: App, args: ParsedArgs, url: string) {
  const list = async (token: string) => {
    const server = { url, token };
    const answer = await requestServer<TeamProjects>(server, {
      method: 'GET',
      path: '/api/v1/projects',
      timeoutMs,
    });
    return { token, projects: answer.items };
  };
  const isFromStdin = isSet(args, 'token-stdin');
  const known = isFromStdin ? undefined : tokenFor(app.paths, url);
  const found = known === undefined ? undefined : await list(known).catch(ignoreInvalidToken);
  if (found !== undefined) return found;
  const token = await signIn({
    url,
    deviceName: app.deviceName,
    clock: app.clock,
    show: (code, page) =>
      app.printError(
        `Open ${app.style.bold(page)}\nand enter the code ${app.style.bold(code)}. Waiting…\n${app.style.dim('(No browser? Pass your own token on stdin: backstory team join URL --token-stdin)')}`,
      ),
    ...(isFromStdin ? { ownToken: (await app.readInput()).trim() } : {}),
  });
  return list(token);
}

function ignoreInvalidToken(error: unknown): undefined {
  if (!(error instanceof AppError && error.code === 'UNAUTHORIZED')) throw error;
}

/** By default the project with the id of the local one, which all clones share, or the only one of the team. */
function selectProject(
  projects: TeamProject[],
  here: { project: string },
  wanted: string | undefined,
): TeamProject {
  const plain = (id: string): string => id.replaceAll('-', '');
  const found =
    wanted === undefined
      ? (projects.find(({ id }) => plain(id) === here.project) ??
        (projects.length === 1 ? projects[0] : undefined))
      : projects.find(({ id, name }) => name === wanted || plain(id) === plain(wanted));
  if (found !== undefined) return found;
  if (projects.length === 0)
    throw new AppError('NOT_FOUND', 'you are not a member of any project on that server', {
      hint: 'Ask an owner: backstory team member add YOU --project PROJECT',
    });
  const names = projects.map(({ name }) => name).join(', ');
  throw new AppError('NOT_FOUND', `choose one of these projects: ${names}`, {
    hint: 'backstory team join URL --project NAME',
  });
}

export async function leave(app: App): Promise<Outcome> {
  const { project, name } = app.place();
  const membership = membershipOf(app.paths, project);
  if (membership === undefined)
    return { value: { joined: false }, text: `${name} has not joined a team.`, exitCode: 1 };
  await unshareAll(app, project);
  const isLast = !listProjects(app.paths).some(
    ({ id }) => membershipOf(app.paths, id)?.url === membership.url,
  );
  const isRevoked = isLast && (await revokeToken(app, membership.url));
  return {
    value: { left: membership.url, revoked: isRevoked },
    text: [
      `${name} has left ${membership.url}.`,
      'Notes from the team stay. To delete them: backstory forget --source team',
      ...(isLast && !isRevoked
        ? [
            'The server is unreachable, so your token was not revoked. An owner can do it: backstory team token revoke DEVICE',
          ]
        : []),
    ].join('\n'),
  };
}

/** Leaves the team and makes its shared notes private: they were chosen for this team, not for the next. */
async function unshareAll(app: App, project: string): Promise<void> {
  leaveTeam(app.paths, project);
  const parts = notePartsOf(app.open(project), app.context(app.place()));
  for (const note of await parts.notes.list()) {
    if (note.visibility !== 'team') continue;
    await saveNote(parts, reviseNote(parts, note, { visibility: 'private' }), 'unshare');
  }
}

/** Deletes the token here and revokes it at the server. False if the server did not confirm. */
async function revokeToken(app: App, url: string): Promise<boolean> {
  const token = tokenFor(app.paths, url);
  dropToken(app.paths, url);
  if (token === undefined) return true;
  const request = { method: 'POST', path: '/api/v1/device/leave', body: { token }, timeoutMs } as const;
  return requestServer({ url }, request).then(
    () => true,
    () => false,
  );
}
