import { join } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { entryAt, listCheckoutFolder, readCheckoutText } from '../base/checkout-file.ts';
import type { Listing, WorktreeFiles } from './worktree-files.ts';

/**
 * Lists the files of a folder on a machine without git: those that no `.gitignore` and no `.git/info/exclude` ignores.
 * Unlike git, it does not know which files are tracked, so it leaves out tracked files that a rule ignores, and it does
 * not read the user's own excludes file.
 */
export function createFilesWithoutGit(root: string): WorktreeFiles {
  return {
    async list() {
      const listing: Listing = { paths: [], nested: [] };
      listFolder(root, '', [rulesOf(root, '', true)], listing);
      listing.paths.sort();
      return listing;
    },
    async filterListed(files, folders, nested) {
      const isListed = createPathFilter(root, nested);
      return {
        files: files.filter(
          (path) => ['file', 'link'].includes(entryAt(root, path)) && isListed(path, false),
        ),
        folders: folders.filter((path) => isListed(path, true)),
      };
    },
    findIgnoreRule: async () => undefined,
  };
}

/** The rules of one folder. `prefix` is its path with a slash at the end, or empty. */
interface Rules {
  prefix: string;
  matcher: Ignore;
}

const maxRuleBytes = 1024 * 1024;
const maxEntries = 1_000_000;

function rulesOf(root: string, prefix: string, isRepository: boolean): Rules {
  // As in git with `core.ignorecase`, which is set where file names ignore case.
  const matcher = ignore({ ignorecase: process.platform !== 'linux' });
  const read = (name: string): string => readCheckoutText(root, prefix + name, maxRuleBytes) ?? '';
  if (isRepository) matcher.add(read('.git/info/exclude'));
  return { prefix, matcher: matcher.add(read('.gitignore')) };
}

/** The rules of the innermost folder that mention a path decide. */
function isIgnored(path: string, isFolder: boolean, rules: readonly Rules[]): boolean {
  for (const { prefix, matcher } of rules.toReversed()) {
    const { ignored, unignored } = matcher.test(path.slice(prefix.length) + (isFolder ? '/' : ''));
    if (ignored || unignored) return ignored;
  }
  return false;
}

function listFolder(root: string, prefix: string, rules: readonly Rules[], listing: Listing): void {
  for (const { name, kind } of listCheckoutFolder(root, prefix, maxEntries)) {
    const path = prefix + name;
    if (name === '.git' || kind === 'other' || isIgnored(path, kind === 'folder', rules)) continue;
    if (kind !== 'folder') {
      listing.paths.push(path);
      continue;
    }
    const inner = `${path}/`;
    // A nested repository has its own rules only.
    const isNested = entryAt(root, join(path, '.git')) !== 'none';
    if (isNested) listing.nested.push(inner);
    const own = rulesOf(root, inner, isNested);
    listFolder(root, inner, isNested ? [own] : [...rules, own], listing);
  }
}

/** Returns a function that says whether `list` would return a file or enter a folder. It reads each folder's rules once. */
function createPathFilter(
  root: string,
  nested: readonly string[],
): (path: string, isFolder: boolean) => boolean {
  const known = new Map<string, Rules>();
  const rulesAt = (prefix: string): Rules => {
    const rules = known.get(prefix) ?? rulesOf(root, prefix, prefix === '' || nested.includes(prefix));
    known.set(prefix, rules);
    return rules;
  };
  return (path, isFolder) => {
    const names = path.split('/');
    let rules = [rulesAt('')];
    for (let depth = 1; depth <= names.length; depth++) {
      const at = names.slice(0, depth).join('/');
      const isLast = depth === names.length;
      if (names[depth - 1] === '.git' || isIgnored(at, !isLast || isFolder, rules)) return false;
      rules = nested.includes(`${at}/`)
        ? [rulesAt(`${at}/`)]
        : isLast
          ? rules
          : [...rules, rulesAt(`${at}/`)];
    }
    return true;
  };
}
