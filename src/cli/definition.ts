import { AppError } from '../base/errors.ts';
import type { Definition } from '../code/definition.ts';
import { coverageWords } from '../code/symbol-words.ts';
import { counted } from '../text/counted.ts';
import { type App, type Command, stringOf } from './command.ts';
import { pagingOf } from './paging.ts';

const timeoutMs = 60_000;

export const definitionCommand: Command = {
  name: 'definition',
  usage: 'definition NAME [--path GLOB] [--lang L] [--limit N] [--offset N]',
  summary: 'Show where a name is defined: NAME, Class.method, pkg.Func or mod::f.',
  group: 'Where is it?',
  options: {
    path: { type: 'string', short: 'p' },
    lang: { type: 'string', short: 'l' },
    limit: { type: 'string' },
    offset: { type: 'string' },
  },
  async run(app, given) {
    const name = given.positionals.join(' ').trim();
    if (name === '')
      throw new AppError('INVALID_QUERY', 'of which name?', { hint: 'backstory definition parseArgs' });
    const code = await app.openCode();
    try {
      const answer = await code.definitions({
        name,
        path: stringOf(given, 'path'),
        language: stringOf(given, 'lang'),
        ...pagingOf(given, 'backstory definition NAME'),
        deadlineMs: timeoutMs,
      });
      const more = answer.nextOffset === undefined ? '' : `; more with --offset ${answer.nextOffset}`;
      const folded = answer.isFolded ? ' in other upper and lower case' : '';
      const total = `${counted(answer.total, 'definition')}${folded}${more}. ${coverageWords(answer)}.`;
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
  const guess = isGuess ? ', by its line' : '';
  return `${style.bold(`${path}:${line}`)}  ${style.dim(`${kind}${where}${guess}`)}\n  ${signature}`;
}
