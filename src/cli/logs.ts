import { readFailures } from '../memory/failures.ts';
import type { Command } from './command.ts';
import { stringOf } from './command.ts';

export const logsCommand: Command = {
  name: 'logs',
  usage: 'logs [--limit N]',
  summary: 'What went wrong in hooks and in the background, newest last.',
  group: 'Look inside',
  options: { limit: { type: 'string' } },
  async run(app, given) {
    const limit = Number(stringOf(given, 'limit') ?? 20) || 20;
    const failures = readFailures(app.paths.failures).slice(-limit);
    const text =
      failures.length === 0
        ? 'No failures recorded.'
        : failures.map(({ at, where, code, message }) => `${at}  ${where}  ${code} ${message}`).join('\n');
    return { value: failures, text };
  },
};
