import { AppError } from '../base/errors.ts';
import { reviseNote, saveNote } from '../memory/notes/remember.ts';
import { listProjects } from '../memory/projects/projects.ts';
import { askServer } from '../remote/ask-server.ts';
import {
  dropToken,
  joinTeam,
  keepToken,
  leaveTeam,
  membershipOf,
  serverUrl,
  tokenFor,
} from '../remote/membership.ts';
import { signIn } from '../remote/sign-in.ts';
import { type App, type Given, isSet, type Outcome, stringOf } from './command.ts';
import { noteParts } from './remember.ts';

interface TeamProject {
  id: string;
  name: string;
  role: string;
}

const timeoutMs = 10_000;

export async function join(app: App, given: Given): Promise<Outcome> {
  const [typed] = given.positionals;
  if (typed === undefined)
    throw new AppError('INVALID_ARGUMENT', 'which server?', {
      hint: 'backstory team join https://team.example.org',
    });
  const url = serverUrl(typed, isSet(given, 'plain-http'));
  app.ensureActive();
  const here = app.rememberPlace();
  const token = await tokenOf(app, given, url);
  const { projects } = await askServer<{ projects: TeamProject[] }>(
    { url, token },
    { method: 'GET', path: '/api/projects', timeoutMs },
  );
  const project = chosen(projects, here, stringOf(given, 'project'));
  keepToken(app.paths, url, token);
  const before = membershipOf(app.paths, here.project);
  if (before !== undefined && (before.url !== url || before.project !== project.id))
    await partFrom(app, here.project, here.name);
  joinTeam(app.paths, here.project, { v: 1, url, project: project.id, name: project.name });
  return {
    value: { url, project: project.id, name: project.name, role: project.role },
    text: [
      `${app.style.bold(here.name)} shares the memory of ${app.style.bold(project.name)} at ${url}; your role there is ${project.role}.`,
      'Nothing goes up but the notes you choose: backstory team push NOTE',
      'What comes down waits for your word: backstory team pull, then backstory review',
    ].join('\n'),
  };
}

/** The one that this machine has for the server, unless another is given. */
async function tokenOf(app: App, given: Given, url: string): Promise<string> {
  const isGiven = isSet(given, 'token-stdin');
  const known = tokenFor(app.paths, url);
  if (known !== undefined && !isGiven && (await isGood(url, known))) return known;
  return signIn({
    url,
    deviceName: app.deviceName,
    clock: app.clock,
    show: (code, page) =>
      app.printError(
        `Open ${app.style.bold(page)}\nand type the code ${app.style.bold(code)} there. Waiting…\n${app.style.dim('(No browser? Give your own token on stdin: backstory team join URL --token-stdin)')}`,
      ),
    ...(isGiven ? { ownToken: (await app.readInput()).trim() } : {}),
  });
}

async function isGood(url: string, token: string): Promise<boolean> {
  try {
    await askServer({ url, token }, { method: 'GET', path: '/api/me', timeoutMs });
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'UNAUTHORIZED') return false;
    throw error;
  }
}

/** By name or id; else the one with the id of this project, which every clone of a repository has; else the only one. */
function chosen(projects: TeamProject[], here: { project: string }, wanted: string | undefined): TeamProject {
  const plain = (id: string): string => id.replaceAll('-', '');
  const found =
    wanted === undefined
      ? (projects.find(({ id }) => plain(id) === here.project) ??
        (projects.length === 1 ? projects[0] : undefined))
      : projects.find(({ id, name }) => name === wanted || plain(id) === plain(wanted));
  if (found !== undefined) return found;
  throw new AppError(
    'NOT_FOUND',
    projects.length === 0
      ? 'you are in no project there'
      : `which project? ${projects.map(({ name }) => name).join(', ')}`,
    {
      hint:
        projects.length === 0
          ? 'Ask an owner: backstory team member add YOU --project PROJECT'
          : 'backstory team join URL --project NAME',
    },
  );
}

export async function leave(app: App): Promise<Outcome> {
  const { project, name } = app.place();
  const membership = membershipOf(app.paths, project);
  if (membership === undefined)
    return { value: { joined: false }, text: `${name} has joined no team.`, exitCode: 1 };
  await partFrom(app, project, name);
  const isLast = !listProjects(app.paths).some(
    ({ id }) => membershipOf(app.paths, id)?.url === membership.url,
  );
  const isRevoked = isLast && (await giveBack(app, membership.url));
  return {
    value: { left: membership.url, revoked: isRevoked },
    text: [
      `${name} shares nothing with ${membership.url} any more.`,
      'Notes that came from there stay; backstory forget --source team removes them.',
      ...(isLast && !isRevoked
        ? ['The server could not be told; an owner can: backstory team token revoke DEVICE']
        : []),
    ].join('\n'),
  };
}

/** What was chosen for one team was not chosen for the next. */
async function partFrom(app: App, project: string, name: string): Promise<void> {
  leaveTeam(app.paths, project);
  const parts = app.open({ id: project, name });
  const desk = noteParts(app, parts, app.place());
  for (const note of await parts.notes.list()) {
    if (note.visibility !== 'team') continue;
    const own = { ...reviseNote(desk, note, { visibility: 'private' }), updated: note.updated };
    await saveNote(desk, own, 'edit');
  }
}

/** A token that nobody uses any more should open nothing. */
async function giveBack(app: App, url: string): Promise<boolean> {
  const token = tokenFor(app.paths, url);
  dropToken(app.paths, url);
  if (token === undefined) return true;
  try {
    await askServer({ url }, { method: 'POST', path: '/api/device/leave', body: { token }, timeoutMs });
    return true;
  } catch {
    // Told to the user: the server may be away for good, and leaving must not depend on it.
    return false;
  }
}
