import { coverageText } from '../code/coverage-text.ts';
import type { ReferencesAnswer } from '../code/references.ts';
import { plural } from '../text/plural.ts';
import type { App, Command } from './command.ts';
import { symbolOptions, symbolSearchOf } from './symbol-options.ts';

export const referencesCommand: Command = {
  name: 'references',
  usage: 'references NAME [--path GLOB] [--lang L] [--limit N] [--offset N]',
  summary: 'Show where a name is used in code: definitions, calls, imports and mentions.',
  group: 'Code',
  options: symbolOptions,
  async run(app, args) {
    const question = symbolSearchOf(args, 'references');
    const code = await app.openCode();
    try {
      const answer = await code.references(question);
      return { value: answer, text: toText(answer, app), exitCode: answer.total === 0 ? 1 : 0 };
    } finally {
      await code.close();
    }
  },
};

function toText(answer: ReferencesAnswer, { style }: App): string {
  const files = answer.files.map(({ path, references }) =>
    [
      style.bold(path),
      ...references.map(({ line, role, within, text }) => {
        const place = within === '' ? '' : style.dim(`  in ${within}`);
        return `${style.good(String(line).padStart(6))}  ${style.dim(role.padEnd(10))}  ${text.trim()}${place}`;
      }),
    ].join('\n'),
  );
  const more = answer.nextOffset === undefined ? '' : `; more with --offset ${answer.nextOffset}`;
  const skipped = answer.skipped === 0 ? '' : `, ${answer.skipped} in comments and strings omitted`;
  const total = `${answer.isComplete ? '' : 'at least '}${plural(answer.total, 'use')}${skipped}${more}`;
  return [...files, style.dim(`${total}. ${coverageText(answer)}.`)].join('\n');
}
