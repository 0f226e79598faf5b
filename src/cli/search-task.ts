import { shortNoteId } from '../domain/note.ts';
import { frecencyScores } from '../memo/steps.ts';
import {
  contextPack,
  defaultBudgetTokens,
  defaultMaxFiles,
  maxBudgetTokens,
  maxFilesCap,
  minBudgetTokens,
} from '../pack/context-pack.ts';
import { fitBudget } from '../pack/fit-budget.ts';
import { createPastWork } from '../pack/past-changes.ts';
import { intents } from '../pack/rank-files.ts';
import { estimateTokens } from '../text/tokens.ts';
import type { ContextPack } from '../wire/answers/code.ts';
import { type App, isSet } from './command.ts';
import { wholeNumber, wordingsOf } from './filters.ts';
import type { Search } from './search-symbols.ts';

export const findForTask: Search = async (code, goal, args, app) => {
  const budget = wholeNumber(args, 'budget') ?? defaultBudgetTokens;
  const place = app.place();
  const memory = app.open(place.project);
  const full = await contextPack(
    {
      code,
      pastWork: createPastWork(code.root),
      memory,
      checkedCode: app.checkedCode(),
      clock: app.clock,
      frecency: () => frecencyScores(memory, place.checkout, app.clock.now()),
    },
    {
      goal,
      wordings: wordingsOf(args),
      intent: isSet(args, 'review') ? intents[1] : intents[0],
      budgetTokens: Math.min(Math.max(budget, minBudgetTokens), maxBudgetTokens),
      maxFiles: Math.min(wholeNumber(args, 'limit') ?? defaultMaxFiles, maxFilesCap),
      changedFiles: (args.values.changed as string[] | undefined) ?? [],
    },
  );
  const pack = fitBudget(full, (one) => estimateTokens(toText(one, plain)));
  return { value: pack, text: toText(pack, app.style), exitCode: pack.items.length === 0 ? 1 : 0 };
};

const same = (text: string): string => text;
const plain: App['style'] = { bold: same, dim: same, good: same, bad: same, mark: same };

const missingText: Record<ContextPack['missing'][number], string> = {
  git_history: 'There is no git history here, so past changes could not be searched.',
  memory: 'This project has no memory yet.',
};

function toText({ items, notes, similarChanges, missing }: ContextPack, style: App['style']): string {
  const files = items.map(({ path, reasons, snippets }) =>
    [
      `${style.bold(path)}  ${style.dim(reasons.map((reason) => reason.replaceAll('_', ' ')).join(', '))}`,
      ...snippets.map(({ line, preview }) => `${style.good(String(line).padStart(6))}  ${preview}`),
    ].join('\n'),
  );
  const about = [
    ...notes.map(
      ({ id, kind, title, drift }) =>
        `${style.mark(kind)} ${title}  ${style.dim([shortNoteId(id), ...(drift === undefined ? [] : [drift])].join(' · '))}`,
    ),
    ...similarChanges.map(({ commit, title }) => `${style.mark('commit')} ${title}  ${style.dim(commit)}`),
  ];
  const nothing = items.length === 0 ? ['No file matches the goal.'] : [];
  return [...files, ...about, ...nothing, ...missing.map((one) => style.dim(missingText[one]))].join('\n');
}
