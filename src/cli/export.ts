import { resolve } from 'node:path';
import { localDay } from '../base/clock.ts';
import { exportProject } from '../memory/archive.ts';
import { plural } from '../text/plural.ts';
import type { Command } from './command.ts';

export const exportCommand: Command = {
  name: 'export',
  usage: 'export [FILE]',
  summary: 'Write all events and notes of this project to one file.',
  group: 'Setup',
  // The file holds everything that is remembered. In a checkout, the next `git add` takes it.
  needsPerson: 'Exporting the memory',
  async run(app, args) {
    const place = app.place();
    const day = localDay(app.clock.now());
    const file = resolve(app.cwd, args.positionals[0] ?? `backstory-${place.name}-${day}.jsonl.gz`);
    const counts = await exportProject(app.open(place.project), file);
    return {
      value: { file, ...counts },
      text: `Exported ${plural(counts.events, 'event')} and ${plural(counts.notes, 'note')} to ${file}`,
    };
  },
};
