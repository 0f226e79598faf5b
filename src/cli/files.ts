import { AppError } from '../base/errors.ts';
import { plural } from '../text/plural.ts';
import type { Command } from './command.ts';
import { pagingOf } from './paging.ts';

export const filesCommand: Command = {
  name: 'files',
  usage: 'files NAME… [--limit N] [--offset N]',
  summary: 'Find files of this checkout by parts of their path, or by a glob.',
  group: 'Code',
  options: { limit: { type: 'string' }, offset: { type: 'string' } },
  async run(app, args) {
    const query = args.positionals.join(' ').trim();
    if (query === '')
      throw new AppError('INVALID_QUERY', 'no file name given', { hint: 'backstory files router auth' });
    const code = await app.openCode();
    try {
      const answer = await code.files({ query, ...pagingOf(args, 'backstory files NAME') });
      const more = answer.nextOffset === undefined ? '' : `; more with --offset ${answer.nextOffset}`;
      const isFuzzy = answer.files.some(({ reason }) => reason === 'fuzzy_path_match');
      const total = `${plural(answer.total, 'file')}${isFuzzy ? ' (fuzzy match)' : ''}${more}`;
      return {
        value: answer,
        text: [...answer.files.map(({ path }) => path), app.style.dim(total)].join('\n'),
        exitCode: answer.total === 0 ? 1 : 0,
      };
    } finally {
      await code.close();
    }
  },
};
