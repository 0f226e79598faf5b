import { resolve } from 'node:path';
import { isoDay } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { readJson } from '../base/files.ts';
import type { Project } from '../domain/project.ts';
import { archivedProject, exportProject, restoreProject } from '../memory/archive.ts';
import { saveProject } from '../memory/projects/projects.ts';
import { plural } from '../text/plural.ts';
import type { Command } from './command.ts';

export const exportCommand: Command = {
  name: 'export',
  usage: 'export [FILE]',
  summary: 'Write all events and notes of this project to one file.',
  group: 'Inspect',
  async run(app, args) {
    const place = app.place();
    const day = isoDay(app.clock.now());
    const file = resolve(app.cwd, args.positionals[0] ?? `backstory-${place.name}-${day}.jsonl.gz`);
    const counts = await exportProject(app.open({ id: place.project, name: place.name }), file);
    return {
      value: { file, ...counts },
      text: `Exported ${plural(counts.events, 'event')} and ${plural(counts.notes, 'note')} to ${file}`,
    };
  },
};

export const restoreCommand: Command = {
  name: 'restore',
  usage: 'restore FILE',
  summary: 'Restore events and notes from an export that are missing on this machine.',
  group: 'Inspect',
  needsPerson: 'Restoring an export',
  async run(app, args) {
    const [name] = args.positionals;
    if (name === undefined) {
      throw new AppError('INVALID_ARGUMENT', 'no file given', { hint: 'backstory restore FILE' });
    }
    const file = resolve(app.cwd, name);
    const archived = await archivedProject(file);
    const known = readJson<Project>(app.paths.project(archived.id).identity);
    if (known === undefined) saveProject(app.paths, archived);
    const counts = await restoreProject(app.open(archived), file);
    return {
      value: { project: archived.id, ...counts },
      text: `Restored ${plural(counts.events, 'event')} and ${plural(counts.notes, 'note')} of ${archived.name}.`,
    };
  },
};
