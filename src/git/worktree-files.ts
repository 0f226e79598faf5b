import { join } from 'node:path';
import { entryAt, listCheckoutFolder } from '../base/checkout-file.ts';
import { AppError } from '../base/errors.ts';
import type { GitResult } from './git.ts';
import { resultInFolder } from './in-repository.ts';

export interface Listing {
  /** Relative paths with forward slashes, sorted. They can include links and deleted files. */
  paths: string[];
  /** Repositories nested in this one, with a slash at the end. Each has its own ignore rules. */
  nested: string[];
}

const maxNesting = 5;

export type WorktreeFiles = ReturnType<typeof createWorktreeFiles>;

/**
 * Lists the files of a folder that are tracked or not ignored. Git decides, so that .gitignore files,
 * .git/info/exclude and the user's own excludes have their usual meaning. Folders outside any repository are
 * listed by the same rules. Where git is missing or would block, no rules are read.
 */
export function createWorktreeFiles(root: string) {
  return {
    list: async (): Promise<Listing> =>
      (await listIn(root, '', 0)) ?? { paths: allFiles(root).sort(), nested: [] },
    /**
     * Returns those of some existing files and folders that `list` would name or enter. Undefined if git fails, or if
     * there are so many files that a full listing is simpler.
     */
    async listed(paths: string[], nested: readonly string[]): Promise<Set<string> | undefined> {
      const visible = new Set(paths);
      for (const [prefix, own] of byRepository(paths, nested)) {
        const folder = join(root, prefix);
        const names = own.map((path) => path.slice(prefix.length));
        const ignored = await runGit(folder, ['check-ignore', '-z', '--stdin'], names.join('\0'));
        if (ignored.code !== 0 && ignored.code !== 1) return undefined;
        for (const name of ignored.output.split('\0')) visible.delete(prefix + name);
        // On a disk that ignores case, git knows a file by the name in its index, whatever the name on disk.
        const files = names.filter(
          (name) => visible.has(prefix + name) && entryAt(folder, name) !== 'folder',
        );
        if (files.length === 0) continue;
        if (files.length > maxPathArguments) return undefined;
        const known = await runGit(folder, ['--literal-pathspecs', ...listArgs, '--', ...files]);
        if (known.code !== 0) return undefined;
        const listed = new Set(known.output.split('\0'));
        for (const name of files) if (!listed.has(name)) visible.delete(prefix + name);
      }
      return visible;
    },
  };
}

/** The length of a command line is limited, on Windows to little. */
const maxPathArguments = 100;
/** Tracked files, files that are not ignored, and files that block a tracked path. */
const listArgs = ['ls-files', '-z', '-cok', '--exclude-standard', '--deduplicate'];

/** Returns undefined if git could not run to its end. */
async function listIn(folder: string, prefix: string, depth: number): Promise<Listing | undefined> {
  const { code, output } = await runGit(folder, listArgs);
  if (code === null) return undefined;
  if (code !== 0) {
    // A nested repository that git rejects, such as one of another user, must not hide the rest.
    if (depth > 0) return { paths: [], nested: [] };
    throw new AppError('REPO_NOT_DETECTED', `git cannot list the files of ${folder}`, {
      hint: 'Run git status there',
    });
  }
  const submodules = await submodulesIn(folder);
  const listing: Listing = { paths: [], nested: [] };
  for (const path of output.split('\0')) {
    // Git lists a nested clone as a name with a slash at the end and does not enter it.
    const isNested = path.endsWith('/') || submodules.has(path);
    if (path !== '' && !isNested) listing.paths.push(prefix + path);
    const name = path.endsWith('/') ? path.slice(0, -1) : path;
    // A submodule folder replaced by a link would lead outside.
    const isRepository = isNested && ['file', 'folder', 'link'].includes(entryAt(folder, `${name}/.git`));
    if (!isRepository || depth === maxNesting) continue;
    const inner = await listIn(join(folder, name), `${prefix}${name}/`, depth + 1);
    if (inner === undefined) return undefined;
    listing.paths.push(...inner.paths);
    listing.nested.push(`${prefix}${name}/`, ...inner.nested);
  }
  if (depth === 0) listing.paths.sort();
  return listing;
}

const maxEntries = 1_000_000;

/** All files but those of git and of installed packages. */
const allFiles = (root: string, folder = ''): string[] =>
  listCheckoutFolder(root, folder, maxEntries).flatMap(({ name, kind }) => {
    if (kind === 'other' || ['.git', 'node_modules'].includes(name)) return [];
    return kind === 'folder' ? allFiles(root, `${folder}${name}/`) : [folder + name];
  });

async function submodulesIn(folder: string): Promise<Set<string>> {
  if (entryAt(folder, '.gitmodules') === 'none') return new Set();
  const { output } = await runGit(folder, ['ls-files', '-z', '--stage']);
  const links = output.split('\0').filter((line) => line.startsWith('160000 '));
  return new Set(links.map((line) => line.slice(line.indexOf('\t') + 1)));
}

/** Groups paths by the innermost repository that contains them. */
const byRepository = (paths: string[], nested: readonly string[]): Map<string, string[]> =>
  Map.groupBy(paths, (path) =>
    nested.filter((each) => path.startsWith(each)).reduce((a, b) => (b.length > a.length ? b : a), ''),
  );

/** Enough for the path of every file of a large repository. */
const maxListingBytes = 1024 * 1024 * 1024;
const listingTimeoutMs = 5 * 60_000;

async function runGit(
  folder: string,
  args: string[],
  input?: string,
): Promise<Pick<GitResult, 'code'> & { output: string }> {
  const result = await resultInFolder(folder, args, {
    ...(input === undefined ? {} : { input }),
    timeoutMs: listingTimeoutMs,
    maxBytes: maxListingBytes,
  });
  return { code: result?.code ?? null, output: result?.output.toString('utf8') ?? '' };
}
