/** Path patterns as people write them: `*` within a name, `**` across folders, `?` one character, `~` home. */
export function matchesGlob(path: string, pattern: string, home: string): boolean {
  const full = pattern.startsWith('~/') ? home + pattern.slice(1) : pattern;
  const trimmed = full.endsWith('/') ? `${full}**` : full;
  return globToRegExp(trimmed).test(path.replaceAll('\\', '/'));
}

function globToRegExp(pattern: string): RegExp {
  let source = '';
  let at = 0;
  while (at < pattern.length) {
    if (pattern.startsWith('/**', at) && (at + 3 === pattern.length || pattern[at + 3] === '/')) {
      source += '(?:/[^/]+)*';
      at += 3;
    } else if (pattern.startsWith('**/', at)) {
      source += '(?:[^/]+/)*';
      at += 3;
    } else if (pattern.startsWith('**', at)) {
      source += '.*';
      at += 2;
    } else if (pattern[at] === '*') {
      source += '[^/]*';
      at += 1;
    } else if (pattern[at] === '?') {
      source += '[^/]';
      at += 1;
    } else {
      source += (pattern[at] as string).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
      at += 1;
    }
  }
  // A pattern without a slash names a file or folder at any depth, as in .gitignore.
  const anywhere = pattern.includes('/') ? '' : '(?:.*/)?';
  return new RegExp(`^${anywhere}${source}$`, process.platform === 'linux' ? '' : 'i');
}
