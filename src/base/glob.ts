/**
 * Matches a path against a glob: `*` within a name, `**` across folders, `?` one character, `~` the home
 * folder.
 */
export function matchesGlob(path: string, pattern: string, home: string): boolean {
  const full = pattern === '~' || pattern.startsWith('~/') ? home + pattern.slice(1) : pattern;
  // A pattern without a slash names a file or folder at any depth, as in .gitignore.
  const globs = full.includes('/') ? full.split('/') : ['**', full];
  if (globs.at(-1) === '') globs[globs.length - 1] = '**';
  return matchesStars(path.replaceAll('\\', '/').split('/'), globs, '**', matchesName);
}

const isCaseSensitive = process.platform === 'linux';
const foldCase = (name: string): string => (isCaseSensitive ? name : name.toLowerCase());

const matchesName = (name: string, glob: string): boolean =>
  matchesStars(
    [...foldCase(name)],
    [...foldCase(glob)],
    '*',
    (letter, wanted) => wanted === '?' || letter === wanted,
  );

/**
 * Backtracks only to the last star, so no pattern takes long. A regular expression would try every split
 * between all stars, and a hook would hang.
 */
function matchesStars(
  items: string[],
  globs: string[],
  star: string,
  fits: (item: string, glob: string) => boolean,
): boolean {
  let at = 0;
  let glob = 0;
  let afterStar = -1;
  let starEnd = 0;
  while (at < items.length) {
    const wanted = globs[glob];
    if (wanted === star) {
      glob++;
      afterStar = glob;
      starEnd = at;
    } else if (wanted !== undefined && fits(items[at] as string, wanted)) {
      glob++;
      at++;
    } else if (afterStar !== -1) {
      starEnd++;
      at = starEnd;
      glob = afterStar;
    } else {
      return false;
    }
  }
  return globs.slice(glob).every((left) => left === star);
}
