import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../test/harness/cleanup.ts';
import { gitDirOf } from '../context-pack/repositories.ts';

/** The lines of a file that answer a question, or the whole file. */
export interface Target {
  path: string;
  lines?: { from: number; to: number };
}

export interface Question {
  query: string;
  category: string;
  targets: Target[];
}

/** A public repository at a fixed commit, with questions about the code below one of its folders. */
export interface QuestionedRepository {
  name: string;
  gitDir: string;
  revision: string;
  /** The folder that the questions are about; undefined for the whole repository. */
  folder: string | undefined;
  /** Every second repository is held out: weights are never tuned on it. */
  isHeldOut: boolean;
  questions: Question[];
}

interface ListedRepository {
  name: string;
  url: string;
  revision: string;
  benchmark_root?: string | null;
}

type ListedTarget = string | { path: string; start_line: number; end_line: number };

interface Annotation {
  query: string;
  category: string;
  relevant: ListedTarget[];
  secondary: ListedTarget[];
}

/** Reads the question set in `data` and drops repositories whose commit is not under `histories`. */
export function readRepositories(
  data: string,
  histories: string,
): { found: QuestionedRepository[]; missing: string[] } {
  const listed = readJson<ListedRepository[]>(join(data, 'repos.json'));
  const missing: string[] = [];
  const found = listed.flatMap(({ name, url, revision, benchmark_root }) => {
    const gitDir = gitDirOf(histories, url.replace(/^https:\/\/github\.com\/|\.git$/g, ''));
    if (gitDir !== undefined && hasCommit(gitDir, revision))
      return [{ name, gitDir, revision, folder: benchmark_root || undefined }];
    missing.push(name);
    return [];
  });
  return {
    found: found.map((repository, at) => ({
      ...repository,
      isHeldOut: at % 2 === 1,
      questions: readJson<Annotation[]>(join(data, 'annotations', `${repository.name}.json`)).map(toQuestion),
    })),
    missing,
  };
}

const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T;

const toQuestion = ({ query, category, relevant, secondary }: Annotation): Question => ({
  query,
  category,
  targets: [...relevant, ...secondary].map((target) =>
    typeof target === 'string'
      ? { path: target }
      : { path: target.path, lines: { from: target.start_line, to: target.end_line } },
  ),
});

function hasCommit(gitDir: string, revision: string): boolean {
  try {
    execFileSync('git', ['--git-dir', gitDir, 'cat-file', '-e', `${revision}^{commit}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Checks out the folder that the questions are about, with the history of the repository. Objects are shared with the
 * git directory, and other folders are left out, as in the published results for this question set.
 */
export function checkOut({ gitDir, revision, folder }: QuestionedRepository): string {
  const root = temporaryFolder('questions');
  const git = (...args: string[]): void => {
    execFileSync('git', ['-C', root, '-c', 'advice.detachedHead=false', ...args], { stdio: 'ignore' });
  };
  execFileSync('git', ['clone', '--quiet', '--shared', '--no-checkout', gitDir, root], { stdio: 'ignore' });
  git('update-ref', '--no-deref', 'HEAD', revision);
  git('read-tree', '--empty');
  git('read-tree', ...(folder === undefined ? [revision] : [`--prefix=${folder}/`, `${revision}:${folder}`]));
  git('checkout-index', '--all');
  return root;
}
