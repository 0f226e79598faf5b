import { AppError } from '../base/errors.ts';
import { matchesGlob } from '../base/glob.ts';
import { unicodeForms } from '../base/unicode-forms.ts';

/** Returns a test for paths: a glob, or a part of the path if it contains no wildcard. Undefined accepts every path. */
export const createPathFilter = (path?: string): ((path: string) => boolean) | undefined =>
  path === undefined || path === '' ? undefined : matcherOf(path);

export const isGlob = (text: string): boolean => /[*?{]/.test(text);

function matcherOf(given: string): (path: string) => boolean {
  const path = insideRoot(given);
  if (!isGlob(path)) {
    const parts = unicodeForms(path.toLowerCase());
    return (candidate) => {
      const folded = candidate.toLowerCase();
      return parts.some((part) => folded.includes(part));
    };
  }
  const globs = expandBraces(path);
  return (candidate) => globs.some((glob) => matchesGlob(candidate, glob, ''));
}

/** Normalizes a path. A path that leads outside the checkout is an error, not an empty result. */
export function insideRoot(path: string): string {
  const plain = path.replaceAll('\\', '/').replace(/^\.\//, '');
  if (
    plain.startsWith('/') ||
    /^[A-Za-z]:\//.test(plain) ||
    plain.split('/').includes('..') ||
    plain.startsWith('~')
  ) {
    throw new AppError('INVALID_QUERY', `not a path in this checkout: ${path}`, {
      hint: 'Use a path relative to its root, such as src/**/*.ts',
    });
  }
  return plain;
}

const maxAlternatives = 64;

/** Expands `*.{ts,tsx}` to two globs. */
export function expandBraces(glob: string): string[] {
  let globs = [glob];
  for (let found = true; found && globs.length <= maxAlternatives; ) {
    const next = globs.flatMap((each) => {
      const braces = /\{([^{}]*)\}/.exec(each);
      if (braces === null) return [each];
      const [all, inner = ''] = braces;
      return inner
        .split(',')
        .map((choice) => each.slice(0, braces.index) + choice + each.slice(braces.index + all.length));
    });
    found = next.length !== globs.length || next.some((each, at) => each !== globs[at]);
    globs = next;
  }
  return globs.slice(0, maxAlternatives);
}
