import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { isFolder } from '../base/files.ts';
import type { HomePaths } from '../base/paths.ts';
import type { CodeSearch } from '../code/code-search.ts';
import type { EventContext } from '../domain/event.ts';
import type { Place, Project } from '../domain/project.ts';
import type { CheckedCode } from '../drift/current-code.ts';
import type { NoteParts } from '../memory/notes/remember.ts';
import type { Activation } from '../memory/projects/activation.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import { projectRoot } from '../memory/projects/project-root.ts';
import { checkoutId, findProject, listProjects } from '../memory/projects/projects.ts';
import { projectRedactor } from '../memory/redact/project-redactor.ts';

/** What every route works with. All projects of the user; a request says which one it means. */
export interface HttpParts {
  version: string;
  clock: Clock;
  paths: HomePaths;
  userHome: string;
  /** The project of the folder it was started in, which a request that names none means. */
  startedIn: string;
  /** The working tree of that project it was started in; empty where it was started elsewhere. */
  startedAt: string;
  open(project: Pick<Project, 'id' | 'name'>): OpenProject;
  /** The checkout at this folder, on the branch it is on now. */
  place(root: string): Place;
  /** Whether anything may be stored there. */
  activation(place: Place): Activation;
  /** `mayWrite` is false where nothing may be stored, and then not even the device gets an id. */
  context(place: Place, mayWrite: boolean): EventContext;
  /** Kept open between requests, and closed with the program. */
  code(place: Place): Promise<CodeSearch>;
  /** The same checkout, for memory to be compared with. */
  checkedCode(root: string): CheckedCode;
  startDrain(project: string): void;
  /** MCP in the checkout of a project, for clients that speak it over HTTP. */
  mcp(request: Request, place: Place, tools: string | undefined): Promise<Response>;
  /** Ends the program once this request is answered. */
  end(): void;
}

export interface NamedProject {
  project: Project;
  parts: OpenProject;
}

/** The one a request means: by name, id or path; else where we were started; else where something happened last. */
export function projectFor(http: HttpParts, named: string | undefined): NamedProject {
  const project = named === undefined || named === '' ? usualProject(http) : findProject(http.paths, named);
  return { project, parts: http.open(project) };
}

function usualProject({ paths, startedIn }: HttpParts): Project {
  const all = knownProjects(paths);
  const here = all.find(({ id }) => id === startedIn);
  const latest = [...all].sort((a, b) => lastWrite(paths, b) - lastWrite(paths, a))[0];
  const project = here ?? latest;
  if (project !== undefined) return project;
  throw new AppError('NOT_FOUND', 'no project has been captured yet', {
    hint: 'backstory install claude-code',
  });
}

export const knownProjects = (paths: HomePaths): Project[] =>
  listProjects(paths).filter(({ linkedTo }) => linkedTo === undefined);

/** When something was last captured there; 0 where nothing was. */
export function lastWrite(paths: HomePaths, { id }: Pick<Project, 'id'>): number {
  const { events } = paths.project(id);
  try {
    return Math.max(0, ...readdirSync(events).map((name) => statSync(join(events, name)).mtimeMs));
  } catch {
    return 0;
  }
}

/** The working tree that is meant, where a request names none; one that is gone still has a name and no branch. */
export function placeOf(http: HttpParts, project: Project, root = usualRoot(http, project)): Place {
  const place = root === '' ? undefined : http.place(root);
  if (place?.project === project.id) return place;
  return { project: project.id, name: project.name, checkout: checkoutId(root), root, branch: '', head: '' };
}

function usualRoot(http: HttpParts, project: Project): string {
  if (project.id === http.startedIn && isFolder(http.startedAt)) return http.startedAt;
  return projectRoot(http.open(project), project.id) ?? project.paths.at(-1) ?? '';
}

export function notePartsFor(http: HttpParts, { project, parts }: NamedProject): NoteParts {
  return {
    notes: parts.notes,
    log: parts.log,
    context: http.context(placeOf(http, project), true),
    userHome: http.userHome,
    clock: http.clock,
    redactor: projectRedactor(parts),
  };
}
