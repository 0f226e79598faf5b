/**
 * Matches a path against a glob: `*` within a name, `**` across folders, `?` one character, `~` the home
 * folder. Backslashes separate names too, in the pattern as in the path.
 */
export function matchesGlob(path: string, pattern: string, home: string): boolean {
  const full = (/^~(?:[\\/]|$)/.test(pattern) ? home + pattern.slice(1) : pattern).replaceAll('\\', '/');
  // A pattern without a slash names a file or folder at any depth, as in .gitignore.
  const globs = full.includes('/') ? full.split('/') : ['**', full];
  if (globs.at(-1) === '') globs[globs.length - 1] = '**';
  return matchesStars(path.replaceAll('\\', '/').split('/'), globs, '**', matchesName);
}

const isCaseSensitive = process.platform === 'linux';
/** macOS reports names in decomposed Unicode (`e` and an accent), and people type composed letters. */
const foldName = (name: string): string => (isCaseSensitive ? name : name.toLowerCase()).normalize('NFC');

const matchesName = (name: string, glob: string): boolean =>
  matchesStars(
    [...foldName(name)],
    [...foldName(glob)],
    '*',
    (letter, wanted) => wanted === '?' || letter === wanted,
  );

/** Backtracks only to the last star. A regular expression would try every split, and a hook would hang. */
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
