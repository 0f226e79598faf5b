import { kindOfPath, testFlag } from '../../src/code/path-kind.ts';
import type { PastCommit } from './git-objects.ts';

/** A commit as a task: its message is the goal, and the files it modified are the expected result. */
export interface Case {
  commit: PastCommit;
  parent: string;
  goal: string;
  gold: string[];
  /** Whether the goal names none of the expected files. */
  isClean: boolean;
}

const sourceFile =
  /\.(?:c|h|cc|cpp|cxx|hpp|hh|cs|go|java|js|jsx|mjs|cjs|kt|kts|lua|php|py|pyi|pyx|rb|rake|rs|scala|sh|bash|swift|ts|tsx|mts|cts|vue|svelte|zig|y|l|sql)$/;

export const isSource = (path: string): boolean => sourceFile.test(path);
const isPlainSource = (path: string): boolean => isSource(path) && (kindOfPath(path) & testFlag) === 0;

const byMachine =
  /^(?:chore|docs?|ci|release|bump|lint|style|build|version|copy|set version|update changelog|changelog|v?\d+\.\d+|revert|merge)\b/i;

export const casesPerRepository = 60;

/** The newest commits with a descriptive message that change a few existing source files. */
export function casesOf(commits: readonly PastCommit[]): Case[] {
  const cases: Case[] = [];
  for (const commit of commits) {
    if (cases.length === casesPerRepository) break;
    const subject = commit.message.split('\n')[0] as string;
    if (commit.isMerge || subject.length < 20 || byMachine.test(subject)) continue;
    const sources = commit.changes.filter(({ path }) => isSource(path));
    const gold = sources
      .filter(({ status, path }) => status === 'M' && isPlainSource(path))
      .map(({ path }) => path);
    if (gold.length === 0 || gold.length > 5 || sources.length > 12) continue;
    const goal = goalOf(commit.message);
    if (goal.length < 20) continue;
    const folded = goal.toLowerCase();
    const isClean = !gold.some((path) => {
      const stem = stemOf(path);
      return /[a-z]{4}/.test(stem) && folded.includes(stem);
    });
    cases.push({ commit, parent: `${commit.hash}^`, goal, gold, isClean });
  }
  return cases;
}

const stemOf = (path: string): string =>
  path
    .slice(path.lastIndexOf('/') + 1)
    .replace(/\..*$/, '')
    .toLowerCase();

/** The message without trailers, addresses, issue numbers and fenced code. */
export function goalOf(message: string): string {
  return message
    .replace(/```[\s\S]*?(?:```|$)/g, ' ')
    .split('\n')
    .filter(
      (line) =>
        !/^(?:[A-Z][\w-]+-by|Signed-off-by|Change-Id|Amp-Thread-ID|Generated with|🤖).*$/i.test(line.trim()),
    )
    .join('\n')
    .replace(/https?:\/\/\S+/g, ' ')
    .replace(/\(?#\d+\)?/g, ' ')
    .trim();
}
