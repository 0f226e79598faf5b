import type { Clock } from '../base/clock.ts';
import type { Waiter } from '../code/checkout.ts';
import type { CodeSearch } from '../code/code-search.ts';
import { goalWords } from '../code/words/goal-words.ts';
import type { CheckedCode } from '../drift/current-code.ts';
import { changedFiles } from '../git/changed-files.ts';
import { quickLimits, type RecallParts } from '../recall/with-index.ts';
import { harmlessLine } from '../text/fence.ts';
import { memoryWork, type NoteAbout, notesAbout } from './memory-work.ts';
import { matchPastChanges } from './past-changes.ts';
import type { PastWork } from './past-work.ts';
import { type Intent, type RankedPath, type Reason, rankFiles } from './rank-files.ts';
import { createSnippets, type Snippet } from './snippets.ts';
import { packWeights } from './weights.ts';

/**
 * A goal → where to begin: a few files with the lines that say why, under a hard budget. The words of the code,
 * what past changes like this one touched, what memory knows and what is changed right now, in one order. A
 * trailhead, not a dump: what is in the files is for the agent to read.
 */
export interface ContextPack {
  goal: string;
  intent: Intent;
  budgetTokens: number;
  maxFiles: number;
  estimatedTokens: number;
  items: PackItem[];
  notes: NoteAbout[];
  /** Past changes like the goal that touched one of the files. */
  similarChanges: { commit: string; title: string }[];
  nextSteps: string[];
  /** What could not be asked, so that nobody takes its silence for an answer. */
  missing: Missing[];
  /** More was found than is shown. */
  truncated: boolean;
}

export interface PackItem {
  path: string;
  score: number;
  reasons: Reason[];
  snippets: Snippet[];
}

export type Missing = 'git_history' | 'memory';

export interface PackQuestion {
  goal: string;
  intent: Intent;
  budgetTokens: number;
  maxFiles: number;
  /** Known to be changed, beside what git says. */
  changedFiles: string[];
}

export interface PackParts {
  code: CodeSearch;
  pastWork: PastWork;
  memory: RecallParts;
  /** For what memory says to be compared with. */
  checkedCode: CheckedCode;
  clock: Clock;
  /** How often and how lately each file was used here, by path; higher is more. */
  frecency?(): Promise<ReadonlyMap<string, number>>;
  /** Whoever waits, where the words of the code have to be read first. */
  waiter?: Waiter;
}

export const defaultBudgetTokens = 1_200;
export const budgetCap = 4_000;
export const smallestBudget = 200;
export const defaultMaxFiles = 4;
export const maxFilesCap = 12;

/** Without regard to the budget, which depends on how it is shown. */
export async function contextPack(parts: PackParts, question: PackQuestion): Promise<ContextPack> {
  const { code, pastWork, memory, clock } = parts;
  const goal = goalWords(question.goal);
  const [{ found }, changes, changed, frecency] = await Promise.all([
    code.words(goal, parts.waiter),
    pastWork(),
    changedFiles(code.root),
    parts.frecency?.(),
  ]);
  const exists = (path: string): boolean => found.paths.has(path);
  const remembered = await memoryWork(
    memory,
    { goal: question.goal, now: clock.now(), root: code.root, exists },
    quickLimits,
  );
  const working = [...(changed ?? []), ...question.changedFiles.map((path) => path.replace(/^\.\//, ''))];
  const past = matchPastChanges(goal, changes ?? [], exists, packWeights);
  const { files, worth } = rankFiles(
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
  const snippetsOf = createSnippets(code.root, goal, worth);
  const items = shown.map((file) => toItem(file, snippetsOf(file)));
  const paths = shown.map(({ path }) => path);
  const missing: Missing[] = [];
  if (changes === undefined) missing.push('git_history');
  if (!remembered.isThere) missing.push('memory');
  return {
    ...question,
    estimatedTokens: 0,
    items,
    notes: remembered.isThere ? await notesAbout(memory, paths, quickLimits, parts.checkedCode) : [],
    similarChanges: past.best
      .filter((change) => change.files.some((path) => paths.includes(path)))
      .map(({ id, title }) => ({
        commit: id.slice(0, commitLetters),
        title: harmlessLine(title, maxTitleLength),
      })),
    nextSteps: nextSteps(items, question.intent),
    missing,
    truncated: files.length > shown.length,
  };
}

const commitLetters = 10;
const maxTitleLength = 120;

/** In hundredths: what is beyond them tells nobody anything. */
const toItem = ({ path, score, reasons }: RankedPath, snippets: Snippet[]): PackItem => ({
  path,
  score: Math.round(score * 100) / 10,
  reasons,
  snippets,
});

function nextSteps(items: PackItem[], intent: Intent): string[] {
  const [first] = items;
  if (first === undefined)
    return ['Nothing here shares a word with the goal; say it in the words of the code.'];
  if (intent === 'review') return ['Read the changed files first, then what else is listed.'];
  return ['Start with the highest-ranked source file and its snippets.'];
}
