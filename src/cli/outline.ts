import { AppError } from '../base/errors.ts';
import { linesOf, outlineEntries } from '../code/outline-entries.ts';
import { plural } from '../text/plural.ts';
import type { Command } from './command.ts';

const timeoutMs = 30_000;

export const outlineCommand: Command = {
  name: 'outline',
  usage: 'outline FILE',
  summary: 'Show the symbols that a file defines, with their lines.',
  group: 'Code',
  async run(app, args) {
    const path = args.positionals.join(' ').trim();
    if (path === '')
      throw new AppError('INVALID_QUERY', 'no file given', { hint: 'backstory outline src/main.ts' });
    const code = await app.openCode();
    try {
      const answer = await code.outline({ path, deadlineMs: timeoutMs });
      const entries = outlineEntries(answer.symbols, 'all');
      const width = Math.max(0, ...entries.map((entry) => linesOf(entry).length));
      const lines = entries.map((entry) => {
        const place = app.style.good(linesOf(entry).padStart(width));
        return `${place}  ${'  '.repeat(entry.depth)}${entry.signature}`;
      });
      const how =
        answer.how === 'parsed' ? '' : '; no parser for this language: lines that look like definitions';
      const total = `${answer.path}: ${plural(answer.lineCount, 'line')}, ${plural(entries.length, 'symbol')}${how}`;
      const { state: _, ...value } = answer;
      return {
        value,
        text: [...lines, app.style.dim(total)].join('\n'),
        exitCode: entries.length === 0 ? 1 : 0,
      };
    } finally {
      await code.close();
    }
  },
};
