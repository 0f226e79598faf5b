import { AppError } from '../base/errors.ts';
import type { CodeSearch } from '../code/code-search.ts';
import { resolveRevision, stagedRange } from '../git/revisions.ts';
import { thoroughLimits } from '../recall/with-index.ts';
import { whyWithTeam } from '../remote/why-with-team.ts';
import { whyChange } from '../why/change.ts';
import { renderWhy } from '../why/render.ts';
import { renderChange } from '../why/render-change.ts';
import { resolveSubject } from '../why/target.ts';
import { type Command, isSet } from './command.ts';

export const whyCommand: Command = {
  name: 'why',
  usage: 'why FILE[:LINE[-LINE]] | SYMBOL | COMMIT | BASE..HEAD | BRANCH | --staged',
  summary: 'Show why code or a change is as it is: who wrote it, for what, and what failed.',
  group: 'Memory',
  options: {
    staged: { about: 'Explain what is staged for the next commit.' },
  },
  async run(app, args) {
    const target = args.positionals.join(' ').trim();
    const isStaged = isSet(args, 'staged');
    if ((target === '') !== isStaged)
      throw new AppError('INVALID_QUERY', 'name a file, a symbol or a commit, or use --staged', {
        hint: 'backstory why src/main.ts:42',
      });
    const { root, project } = app.place();
    let code: CodeSearch | undefined;
    const query = isStaged
      ? await stagedRange(root)
      : await resolveSubject(target, {
          root,
          cwd: app.cwd,
          mayBeIgnored: true,
          code: async () => {
            code = await app.openCode();
            return code;
          },
        }).finally(() => code?.close());
    const progress = app.progress('Indexing');
    const now = app.clock.now();
    const limits = { ...thoroughLimits, onProgress: progress.update };
    const parts = { parts: app.open(project), root };
    if ('base' in query) {
      const answer = await whyChange(parts, query, { now, limits });
      progress.end();
      const { style, columns } = app;
      return { value: answer, text: renderChange(answer, { now, style, columns }) };
    }
    const answer = await whyWithTeam(parts, query, { now, limits, code: app.checkedCode() });
    progress.end();
    const isRevision = (await resolveRevision(root, target)) !== undefined;
    const other = isRevision ? `\nTo ask about the commit of that name: backstory why ${target}~0` : '';
    return { value: answer, text: renderWhy(answer, now, app.style) + app.style.dim(other) };
  },
};
