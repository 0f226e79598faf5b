import { existsSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isoTime } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { ensureDirectory, replaceFile } from '../base/files.ts';
import { hashId } from '../base/hash.ts';
import type { EventEnvelope } from '../domain/event.ts';
import type { Project } from '../domain/project.ts';
import { removePrelude } from '../memory/prelude/prelude-file.ts';
import { findProject, listProjects, saveProject } from '../memory/projects/projects.ts';
import { type EventLog, withOriginalTime } from '../store/events/event-log.ts';
import { forgetEvents } from '../store/events/rewrite-events.ts';
import type { App, Outcome } from './command.ts';

export function listAllProjects(app: App): Outcome {
  const here = app.place().project;
  const all = listProjects(app.paths).filter(({ linkedTo }) => linkedTo === undefined);
  const text = all
    .map((project) => {
      const mark = project.id === here ? app.style.good('*') : ' ';
      return `${mark} ${app.style.bold(project.name)}  ${app.style.dim(project.id.slice(0, 8))}\n    ${project.paths.join('\n    ')}`;
    })
    .join('\n');
  return { value: all, text: all.length === 0 ? 'No project has been captured yet.' : text };
}

/** Moves events and notes of one project into the other, which then owns the folders of both. */
export function linkProjects(app: App, [fromName, intoName]: string[]): Outcome {
  if (fromName === undefined || intoName === undefined)
    throw new AppError('INVALID_ARGUMENT', 'two projects are needed', { hint: 'backstory capture projects' });
  const from = findProject(app.paths, fromName);
  const into = findProject(app.paths, intoName);
  if (from.id === into.id)
    throw new AppError('INVALID_ARGUMENT', 'these are the same project', {
      hint: 'backstory capture projects',
    });
  const source = app.paths.project(from.id);
  const target = app.paths.project(into.id);
  moveEvents(source.events, app.open(from.id).log, app.open(into.id).log);
  if (existsSync(source.notes)) {
    ensureDirectory(target.notes);
    for (const name of readdirSync(source.notes)) {
      replaceFile(join(target.notes, name), readFileSync(join(source.notes, name)));
      rmSync(join(source.notes, name));
    }
  }
  saveProject(app.paths, {
    ...into,
    keys: [...new Set([...into.keys, ...from.keys])],
    paths: [...new Set([...from.paths, ...into.paths])],
    commits: [...new Set([...(from.commits ?? []), ...(into.commits ?? [])])],
  });
  saveProject(app.paths, { ...from, keys: [], paths: [], linkedTo: into.id });
  rmSync(source.index, { recursive: true, force: true, maxRetries: 5 });
  removePrelude(source);
  clearPathCache(app);
  return { value: { from: from.id, into: into.id }, text: `${from.name} is now part of ${into.name}.` };
}

const copyBatch = 500;

/** Copies all events to the other project, then deletes the originals. A second copy would survive a later `forget`. */
function moveEvents(folder: string, from: EventLog, into: EventLog): void {
  let batch: EventEnvelope[] = [];
  for (const { entry } of from.read({})) {
    if (entry.kind === 'event') batch.push(withOriginalTime(entry.event));
    if (batch.length < copyBatch) continue;
    into.append(batch);
    batch = [];
  }
  into.append(batch);
  const moved = [...from.read({})].flatMap(({ file, offset, entry }) =>
    entry.kind === 'event' ? [{ file, offset, id: entry.event.id }] : [],
  );
  forgetEvents(folder, moved);
}

/** Makes the folder its own project. Events captured so far stay in the old project. */
export function splitProject(app: App, [path]: string[]): Outcome {
  const root = path === undefined ? app.place().root : existsSync(path) ? realpathSync.native(path) : path;
  const project = listProjects(app.paths).find(({ paths }) => paths.includes(root));
  if (project === undefined) {
    throw new AppError('NOT_FOUND', `nothing was captured in ${root}`, {
      hint: 'backstory capture projects',
    });
  }
  const key = `path:${root}`;
  const fresh: Project = {
    v: 1,
    id: hashId('split', root, isoTime(app.clock.now())),
    name: basename(root),
    keys: [key],
    paths: [root],
    created: isoTime(app.clock.now()),
    isSplit: true,
  };
  saveProject(app.paths, {
    ...project,
    keys: project.keys.filter((known) => known !== key),
    paths: project.paths.filter((known) => known !== root),
  });
  saveProject(app.paths, fresh);
  clearPathCache(app);
  return { value: fresh, text: `${root} is now its own project.` };
}

/** The cache maps folders to projects, so it is invalid after projects were merged or split. */
const clearPathCache = (app: App): void =>
  rmSync(join(app.paths.home, 'paths'), { recursive: true, force: true, maxRetries: 5 });
