import { coverageText } from '../code/coverage-text.ts';
import type { Definition } from '../code/definition.ts';
import { plural } from '../text/plural.ts';
import type { App, Command } from './command.ts';
import { symbolOptions, symbolSearchOf } from './symbol-options.ts';

export const definitionCommand: Command = {
  name: 'definition',
  usage: 'definition NAME [--path GLOB] [--lang L] [--limit N] [--offset N]',
  summary: 'Show where a name is defined: NAME, Class.method, pkg.Func or mod::f.',
  group: 'Code',
  options: symbolOptions,
  async run(app, args) {
    const question = symbolSearchOf(args, 'definition');
    const code = await app.openCode();
    try {
      const answer = await code.definitions(question);
      const more = answer.nextOffset === undefined ? '' : `; more with --offset ${answer.nextOffset}`;
      const folded = answer.isFolded ? ' (case-insensitive match)' : '';
      const total = `${plural(answer.total, 'definition')}${folded}${more}. ${coverageText(answer)}.`;
      return {
        value: answer,
        text: [...answer.definitions.map((each) => toText(each, app)), app.style.dim(total)].join('\n'),
        exitCode: answer.total === 0 ? 1 : 0,
      };
    } finally {
      await code.close();
    }
  },
};

function toText({ path, line, kind, container, signature, isGuess }: Definition, { style }: App): string {
  const where = container === '' ? '' : ` in ${container}`;
  const guess = isGuess ? ', guessed from the line' : '';
  return `${style.bold(`${path}:${line}`)}  ${style.dim(`${kind}${where}${guess}`)}\n  ${signature}`;
}
