/** Path patterns as people write them: `*` within a name, `**` across folders, `?` one character, `~` home. */
export function matchesGlob(path: string, pattern: string, home: string): boolean {
  const full = pattern === '~' || pattern.startsWith('~/') ? home + pattern.slice(1) : pattern;
  // A pattern without a slash names a file or folder at any depth, as in .gitignore.
  const globs = full.includes('/') ? full.split('/') : ['**', full];
  if (globs.at(-1) === '') globs[globs.length - 1] = '**';
  return walk(path.replaceAll('\\', '/').split('/'), globs, '**', matchesName);
}

const hasCase = process.platform === 'linux';
const folded = (name: string): string => (hasCase ? name : name.toLowerCase());

const matchesName = (name: string, glob: string): boolean =>
  walk([...folded(name)], [...folded(glob)], '*', (letter, wanted) => wanted === '?' || letter === wanted);

/**
 * Where something does not fit, only the last star takes one more, so no pattern takes long. A regular
 * expression would try every share between the stars, and a hook would hang.
 */
function walk(
  items: string[],
  globs: string[],
  star: string,
  fits: (item: string, glob: string) => boolean,
): boolean {
  let at = 0;
  let glob = 0;
  let afterStar = -1;
  let taken = 0;
  while (at < items.length) {
    const wanted = globs[glob];
    if (wanted === star) {
      glob++;
      afterStar = glob;
      taken = at;
    } else if (wanted !== undefined && fits(items[at] as string, wanted)) {
      glob++;
      at++;
    } else if (afterStar !== -1) {
      taken++;
      at = taken;
      glob = afterStar;
    } else {
      return false;
    }
  }
  return globs.slice(glob).every((left) => left === star);
}
