import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentFolders } from '../agents/setup.ts';
import { entryAt } from '../base/checkout-file.ts';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { isFolder } from '../base/files.ts';
import type { HomePaths } from '../base/paths.ts';
import type { CodeSearch } from '../code/code-search.ts';
import type { EventContext } from '../domain/event.ts';
import type { Place, Project } from '../domain/project.ts';
import type { CheckedCode } from '../drift/current-code.ts';
import { notePartsOf } from '../memory/notes/note-parts.ts';
import type { NoteParts } from '../memory/notes/remember.ts';
import type { Activation } from '../memory/projects/activation.ts';
import { readInstalls } from '../memory/projects/install-records.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import { projectRoot } from '../memory/projects/project-root.ts';
import { checkoutId, findProject, listProjects } from '../memory/projects/projects.ts';

/** Dependencies of the HTTP routes. One server serves all projects of the user; a request names its project. */
export interface HttpParts {
  version: string;
  clock: Clock;
  paths: HomePaths;
  userHome: string;
  agentFolders: AgentFolders;
  /** Project of the folder in which the server was started; the default for requests. */
  startedIn: string;
  /** The working tree of that project, if the server was started in it; otherwise empty. */
  startedAt: string;
  open(project: Pick<Project, 'id' | 'name'>): OpenProject;
  /** The checkout at this folder, on its current branch. */
  place(root: string): Place;
  activation(place: Place): Activation;
  /** The fields that every event has. Without `mayWrite`, no device id is created. */
  context(place: Place, mayWrite: boolean): EventContext;
  /** Returns the code search of a checkout. It stays open between requests; the program closes it. */
  code(place: Place): Promise<CodeSearch>;
  checkedCode(root: string): CheckedCode;
  startDrain(project: string): void;
  /** Answers an MCP request that came over HTTP. The tools work on the checkout `place`. */
  mcp(request: Request, place: Place, tools: string | undefined): Promise<Response>;
  /** Stops the server after this request has been answered. */
  end(): void;
}

export interface RequestedProject {
  http: HttpParts;
  project: Project;
  parts: OpenProject;
}

/** Default: the project in which the server was started, or else the one with the latest event. */
export function projectFor(http: HttpParts, named: string | undefined): RequestedProject {
  const project = named === undefined || named === '' ? defaultProject(http) : findProject(http.paths, named);
  return { http, project, parts: http.open(project) };
}

/** Those of the first paths that are no file of the checkout, such as names in a prompt. */
export function missingIn(named: RequestedProject, paths: string[]): { missing?: string[] } {
  const { root } = placeOf(named);
  return root === '' ? {} : { missing: paths.slice(0, 20).filter((path) => entryAt(root, path) !== 'file') };
}

/** True if the request is about the default project and there is none yet. */
export const isNothingCaptured = ({ paths }: HttpParts, named = ''): boolean =>
  named === '' && knownProjects(paths).length === 0;

function defaultProject({ paths, startedIn }: HttpParts): Project {
  const all = knownProjects(paths);
  const here = all.find(({ id }) => id === startedIn);
  const latest = [...all].sort((a, b) => lastWrite(paths, b) - lastWrite(paths, a))[0];
  const project = here ?? latest;
  if (project !== undefined) return project;
  throw new AppError('NOTHING_CAPTURED', 'No project has been captured yet.', {
    hint: readInstalls(paths.installs).length === 0 ? 'backstory install all' : 'backstory import',
  });
}

export const knownProjects = (paths: HomePaths): Project[] =>
  listProjects(paths).filter(({ linkedTo }) => linkedTo === undefined);

/** Time of the last captured event; 0 if there is none. */
export function lastWrite(paths: HomePaths, { id }: Pick<Project, 'id'>): number {
  const { events } = paths.project(id);
  try {
    return Math.max(0, ...readdirSync(events).map((name) => statSync(join(events, name)).mtimeMs));
  } catch {
    return 0;
  }
}

/** The default working tree of a project. If it no longer exists, the result has a name but no branch. */
export function placeOf(named: RequestedProject, root = defaultRoot(named)): Place {
  const { http, project } = named;
  const place = root === '' ? undefined : http.place(root);
  if (place?.project === project.id) return place;
  return { project: project.id, name: project.name, checkout: checkoutId(root), root, branch: '', head: '' };
}

/** The code that memories of the project are compared with. Without a checkout there is none, and drift is unknown. */
export function checkedCodeOf(named: RequestedProject): CheckedCode | undefined {
  const { root } = placeOf(named);
  return isFolder(root) ? named.http.checkedCode(root) : undefined;
}

function defaultRoot({ http, project, parts }: RequestedProject): string {
  if (project.id === http.startedIn && isFolder(http.startedAt)) return http.startedAt;
  return projectRoot(parts, project.id) ?? project.paths.at(-1) ?? '';
}

/** The fields of the events of a change that somebody makes through this server. */
export const contextFor = (named: RequestedProject): EventContext => named.http.context(placeOf(named), true);

export const notePartsFor = (named: RequestedProject): NoteParts =>
  notePartsOf(named.parts, contextFor(named));
