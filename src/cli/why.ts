import { AppError } from '../base/errors.ts';
import type { CodeSearch } from '../code/code-search.ts';
import { thoroughLimits } from '../recall/with-index.ts';
import { renderWhy } from '../why/render.ts';
import { resolveTarget } from '../why/target.ts';
import { why } from '../why/why.ts';
import type { Command } from './command.ts';

export const whyCommand: Command = {
  name: 'why',
  usage: 'why FILE[:LINE[-LINE]] | SYMBOL',
  summary: 'Say why lines are as they are: who wrote them, for what, and what was turned down.',
  group: 'What do we know?',
  async run(app, given) {
    const asked = given.positionals.join(' ').trim();
    if (asked === '')
      throw new AppError('INVALID_QUERY', 'why what?', { hint: 'backstory why src/main.ts:42' });
    const place = app.place();
    let code: CodeSearch | undefined;
    const query = await resolveTarget(asked, {
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
    const answer = await why(
      { parts: app.open({ id: place.project, name: place.name }), root: place.root },
      query,
      {
        now,
        limits: { ...thoroughLimits, onProgress: progress.update },
        code: app.checkedCode(),
      },
    );
    progress.end();
    return { value: answer, text: renderWhy(answer, now, app.style) };
  },
};
