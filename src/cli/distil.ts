import { drain } from '../memory/drain.ts';
import { distilWithModel } from '../memory/notes/distil-with-model.ts';
import { plural } from '../text/plural.ts';
import type { Command } from './command.ts';
import { isSet } from './command.ts';

export const distilCommand: Command = {
  name: 'distil',
  usage: 'distil [--retry]',
  summary: 'Extract notes from sessions now. --retry also repeats sessions that a model failed on.',
  group: 'Memory',
  isHidden: true,
  options: { retry: { type: 'boolean', about: 'Call the model again for sessions that failed.' } },
  async run(app, args) {
    app.ensureActive();
    const parts = app.open();
    await drain(parts);
    const report = await distilWithModel(parts, { retries: isSet(args, 'retry') });
    const value = { model: parts.write === undefined ? 'off' : 'on', ...report };
    if (parts.write === undefined)
      return {
        value,
        text: 'Extracted notes without a model. None is configured. To choose one: backstory models',
      };
    const { asked, notes, failed, refused } = report;
    const lines = [
      asked + failed === 0
        ? 'No new session to process.'
        : `Processed ${plural(asked, 'session')}: ${plural(notes, 'note')}, ${failed} failed.${failed === 0 ? '' : ' See: backstory status --spend'}`,
      ...(refused === undefined ? [] : [`Stopped: ${refused}. See: backstory status --spend`]),
    ];
    const text = (asked + failed === 0 && refused !== undefined ? lines.slice(1) : lines).join('\n');
    return { value, text, exitCode: failed > 0 ? 1 : 0 };
  },
};
