import { join } from 'node:path';
import { entryAt, listCheckoutFolder } from '../base/checkout-file.ts';
import { AppError } from '../base/errors.ts';
import { type GitResult, gitProgram } from './git.ts';
import { resultInFolder } from './in-repository.ts';

/**
 * Which files of a folder are the user's: tracked, or not ignored. Git itself is asked, so .gitignore files,
 * .git/info/exclude and the user's own excludes mean here what they mean everywhere else. Folders outside any
 * repository are listed by the same rules.
 */
export interface WorktreeFiles {
  list(): Promise<Listing>;
  /**
   * Of new files and folders, those that `list` would name or look into. Undefined when git cannot say, or the
   * question is longer than listing everything.
   */
  ownAmong(
    files: string[],
    folders: string[],
    nested: readonly string[],
  ): Promise<{ files: string[]; folders: string[] } | undefined>;
  /** The rule that hides the first thing in the folder, as `file:line: rule`; for saying why nothing is found. */
  whatHidesAll(): Promise<string | undefined>;
}

export interface Listing {
  /** Relative, `/` between names, sorted. Links and deleted files may be among them. */
  paths: string[];
  /** Repositories inside this one, with `/` at the end; each has rules of its own. */
  nested: string[];
}

const maxNesting = 5;

export function createWorktreeFiles(root: string): WorktreeFiles {
  const notIgnored = async (paths: string[], nested: readonly string[]): Promise<Set<string> | undefined> => {
    const visible = new Set(paths);
    for (const [prefix, names] of byRepository(paths, nested)) {
      const { code, output } = await ask(
        join(root, prefix),
        ['check-ignore', '-z', '--stdin'],
        names.join('\0'),
      );
      if (code !== 0 && code !== 1) return undefined;
      for (const name of output.split('\0')) visible.delete(prefix + name);
    }
    return visible;
  };
  return {
    list: () => listIn(root, '', 0),
    async ownAmong(files, folders, nested) {
      // First what ignore rules hide, which may be very much and is asked in one go.
      const visible = await notIgnored([...files, ...folders], nested);
      if (visible === undefined) return undefined;
      const shown = files.filter((path) => visible.has(path));
      if (shown.length > maxAsked) return undefined;
      const own: string[] = [];
      for (const [prefix, names] of byRepository(shown, nested)) {
        // The same question as for everything, so that there cannot be two answers.
        const args = ['--literal-pathspecs', ...listArgs, '--', ...names];
        const { code, output } = await ask(join(root, prefix), args);
        if (code !== 0) return undefined;
        const listed = new Set(output.split('\0'));
        own.push(...names.filter((name) => listed.has(name)).map((name) => prefix + name));
      }
      return { files: own, folders: folders.filter((path) => visible.has(path)) };
    },
    async whatHidesAll() {
      const names = listCheckoutFolder(root, '', maxTopEntries)
        .map(({ name }) => name)
        .filter((name) => name !== '.git');
      const { output } = await ask(root, ['check-ignore', '-v', '-z', '--stdin'], names.join('\0'));
      const [file = '', line, rule] = output.split('\0');
      // Git reads a copy of it, and names that.
      const shown = file.replace(/^.*[\\/](?=info[\\/]exclude$)/, '.git/');
      return rule === undefined ? undefined : `${shown}:${line}: ${rule}`;
    },
  };
}

/** Command lines have a limit, on Windows a small one. */
const maxAsked = 100;
/** Enough to find the rule that hides them all. */
const maxTopEntries = 10_000;
/** Tracked, not ignored, or in the way of a tracked file. */
const listArgs = ['ls-files', '-z', '-cok', '--exclude-standard', '--deduplicate'];

async function listIn(folder: string, prefix: string, depth: number): Promise<Listing> {
  const { code, output } = await ask(folder, listArgs);
  if (code !== 0) {
    // A repository that git refuses, such as one of another user, must not hide the rest.
    if (depth > 0) return { paths: [], nested: [] };
    throw new AppError('REPO_NOT_DETECTED', `git cannot list the files of ${folder}`, {
      hint: 'Run git status there',
    });
  }
  const submodules = await submodulesIn(folder);
  const listing: Listing = { paths: [], nested: [] };
  for (const path of output.split('\0')) {
    // Git ends the name of a clone inside a clone with a slash, and goes no further.
    const isNested = path.endsWith('/') || submodules.has(path);
    if (path !== '' && !isNested) listing.paths.push(prefix + path);
    const name = path.endsWith('/') ? path.slice(0, -1) : path;
    // A submodule's folder that was replaced by a link would lead out.
    const isRepository = isNested && ['file', 'folder', 'link'].includes(entryAt(folder, `${name}/.git`));
    if (!isRepository || depth === maxNesting) continue;
    const inner = await listIn(join(folder, name), `${prefix}${name}/`, depth + 1);
    listing.paths.push(...inner.paths);
    listing.nested.push(`${prefix}${name}/`, ...inner.nested);
  }
  if (depth === 0) listing.paths.sort();
  return listing;
}

async function submodulesIn(folder: string): Promise<Set<string>> {
  if (entryAt(folder, '.gitmodules') === 'none') return new Set();
  const { output } = await ask(folder, ['ls-files', '-z', '--stage']);
  const links = output.split('\0').filter((line) => line.startsWith('160000 '));
  return new Set(links.map((line) => line.slice(line.indexOf('\t') + 1)));
}

/** Names by the innermost repository they are in, relative to it. */
function byRepository(paths: string[], nested: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    const prefix = nested
      .filter((each) => path.startsWith(each))
      .reduce((a, b) => (b.length > a.length ? b : a), '');
    const group = groups.get(prefix);
    if (group === undefined) groups.set(prefix, [path.slice(prefix.length)]);
    else group.push(path.slice(prefix.length));
  }
  return groups;
}

/** As long as the name of every file in a large repository. */
const maxListingBytes = 1024 * 1024 * 1024;
const listingTimeoutMs = 5 * 60_000;

async function ask(
  folder: string,
  args: string[],
  input?: string,
): Promise<Pick<GitResult, 'code'> & { output: string }> {
  if (gitProgram() === undefined) {
    throw new AppError('BACKEND_FAILURE', 'git was not found; code search asks it which files are ignored', {
      hint: 'Install git',
    });
  }
  const result = await resultInFolder(folder, args, {
    ...(input === undefined ? {} : { input }),
    timeoutMs: listingTimeoutMs,
    maxBytes: maxListingBytes,
  });
  return { code: result?.code ?? null, output: result?.output.toString('utf8') ?? '' };
}
