import type { Clock } from '../base/clock.ts';
import type { Waiter } from '../code/checkout.ts';
import type { CodeSearch } from '../code/code-search.ts';
import { goalWords } from '../code/words/goal-words.ts';
import type { CheckedCode } from '../drift/current-code.ts';
import { changedFiles } from '../git/uncommitted-changes.ts';
import { givenWordings } from '../recall/hit.ts';
import type { RecallParts } from '../recall/with-index.ts';
import { harmlessLine } from '../text/fence.ts';
import type { ContextPack, PackItem, Snippet } from '../wire/answers/code.ts';
import { memoryWork, notesAbout } from './memory-work.ts';
import { matchPastChanges, type PastWork } from './past-changes.ts';
import { type Intent, type RankedPath, rankFiles } from './rank-files.ts';
import { createSnippets } from './snippets.ts';
import { packWeights } from './weights.ts';

export interface PackQuestion {
  goal: string;
  wordings?: string[] | undefined;
  intent: Intent;
  budgetTokens: number;
  maxFiles: number;
  changedFiles: string[];
}

export interface PackParts {
  code: CodeSearch;
  pastWork: PastWork;
  memory: RecallParts;
  checkedCode: CheckedCode;
  clock: Clock;
  /** A score by path for how often and how recently each file was used here. */
  frecency?(): Promise<ReadonlyMap<string, number>>;
  waiter?: Waiter;
}

export const defaultBudgetTokens = 1_200;
export const maxBudgetTokens = 4_000;
export const minBudgetTokens = 200;
export const defaultMaxFiles = 4;
export const maxFilesCap = 12;

/** Builds the full pack. The caller applies `fitBudget`, because the cost depends on the output format. */
export async function contextPack(
  parts: PackParts,
  { wordings: given, ...question }: PackQuestion,
): Promise<ContextPack> {
  const { code, pastWork, memory, clock } = parts;
  const wordings = givenWordings(given);
  const goal = goalWords([question.goal, ...wordings].join('\n'));
  const [{ found }, changes, changed, frecency] = await Promise.all([
    code.words(goal, parts.waiter),
    pastWork(),
    changedFiles(code.root),
    parts.frecency?.(),
  ]);
  const exists = (path: string): boolean => found.paths.has(path);
  const asked = { goal: question.goal, wordings, now: clock.now(), root: code.root, exists };
  const remembered = await memoryWork(memory, asked);
  const working = [...(changed ?? []), ...question.changedFiles.map((path) => path.replace(/^\.\//, ''))];
  const past = matchPastChanges(goal, changes ?? [], exists, packWeights);
  const { files, wordWeights } = rankFiles(
    {
      goal,
      matches: found.matches,
      statistics: found.statistics,
      past,
      changed: new Set(working.filter(exists)),
      memory: remembered.files,
      ...(frecency === undefined ? {} : { frecency }),
      intent: question.intent,
    },
    packWeights,
  );
  const shown = files.slice(0, question.maxFiles);
  const snippetsOf = createSnippets(code.root, goal, wordWeights);
  const items = shown.map((file) => toItem(file, snippetsOf(file)));
  const paths = shown.map(({ path }) => path);
  const missing: ContextPack['missing'] = [];
  if (changes === undefined) missing.push('git_history');
  if (!remembered.exists) missing.push('memory');
  return {
    ...question,
    estimatedTokens: 0,
    items,
    notes: remembered.exists ? await notesAbout(memory, paths, parts.checkedCode) : [],
    similarChanges: past.best
      .filter((change) => change.files.some((path) => paths.includes(path)))
      .map(({ id, title }) => ({
        commit: id.slice(0, shortCommitLength),
        title: harmlessLine(title, maxTitleLength),
      })),
    nextSteps: nextSteps(items, question.intent),
    missing,
    truncated: files.length > shown.length,
  };
}

const shortCommitLength = 10;
const maxTitleLength = 120;

const toItem = ({ path, score, reasons }: RankedPath, snippets: Snippet[]): PackItem => ({
  path,
  score: Math.round(score * 100) / 10,
  reasons,
  snippets,
});

function nextSteps(items: PackItem[], intent: Intent): string[] {
  const [first] = items;
  if (first === undefined) return ['No file shares a word with the goal. Use words from the code.'];
  if (intent === 'review') return ['Read the changed files first, then the other files.'];
  return ['Start with the highest-ranked source file and its snippets.'];
}
