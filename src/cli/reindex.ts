import { AppError } from '../base/errors.ts';
import { drain } from '../memory/drain.ts';
import type { Command } from './command.ts';

export const reindexCommand: Command = {
  name: 'reindex',
  usage: 'reindex [memory]',
  summary: 'Throw the index of this project away and make it anew from the log and the notes.',
  group: 'Look inside',
  async run(app, given) {
    const what = given.positionals[0] ?? 'memory';
    if (what !== 'memory') {
      throw new AppError('INVALID_ARGUMENT', `there is no index of ${what} yet`, {
        hint: 'backstory reindex memory',
      });
    }
    const started = app.clock.now();
    const place = app.place();
    const parts = app.open({ id: place.project, name: place.name });
    const progress = app.progress('Indexing');
    parts.access.discard();
    const report = await drain(parts, {
      maxMs: Number.MAX_SAFE_INTEGER,
      maxBytes: Number.MAX_SAFE_INTEGER,
      onProgress: progress.update,
    });
    progress.end();
    const elapsedMs = app.clock.now() - started;
    if (!report.ran) {
      throw new AppError('INDEX_UNAVAILABLE', 'another process is indexing this project', {
        hint: 'try again in a minute',
        retryable: true,
      });
    }
    return {
      value: { ...report, elapsedMs },
      text: `Indexed ${report.indexed} records in ${(elapsedMs / 1000).toFixed(1)} s.`,
    };
  },
};
