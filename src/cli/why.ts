import { AppError } from '../base/errors.ts';
import type { CodeSearch } from '../code/code-search.ts';
import { thoroughLimits } from '../recall/with-index.ts';
import { whyWithTeam } from '../remote/why-with-team.ts';
import { renderWhy } from '../why/render.ts';
import { resolveTarget } from '../why/target.ts';
import type { Command } from './command.ts';

export const whyCommand: Command = {
  name: 'why',
  usage: 'why FILE[:LINE[-LINE]] | SYMBOL',
  summary: 'Show why code is as it is: who wrote it, for what, and what failed.',
  group: 'Memory',
  arguments: 'file',
  async run(app, args) {
    const target = args.positionals.join(' ').trim();
    if (target === '')
      throw new AppError('INVALID_QUERY', 'no file or symbol given', {
        hint: 'backstory why src/main.ts:42',
      });
    const place = app.place();
    let code: CodeSearch | undefined;
    const query = await resolveTarget(target, {
      root: place.root,
      cwd: app.cwd,
      mayBeIgnored: true,
      code: async () => {
        code = await app.openCode();
        return code;
      },
    }).finally(() => code?.close());
    const progress = app.progress('Indexing');
    const now = app.clock.now();
    const answer = await whyWithTeam({ parts: app.open(place.project), root: place.root }, query, {
      now,
      limits: { ...thoroughLimits, onProgress: progress.update },
      code: app.checkedCode(),
    });
    progress.end();
    return { value: answer, text: renderWhy(answer, now, app.style) };
  },
};
