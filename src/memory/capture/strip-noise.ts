import type { Observation } from '../../agents/agent.ts';
import type { EditHunk } from '../../domain/event.ts';

/**
 * Replaces noise by its size: encoded blobs, minified code, the lines of lock files, and the middle of long command
 * output. Pure, and applied before anything is stored.
 */
export function withoutNoise<T extends Observation['body']>(body: T): T {
  if ('output' in body && body.output !== undefined) return { ...body, output: shortOutput(body.output) };
  if ('hunks' in body && isLockFile(body.path)) return { ...body, hunks: body.hunks.map(countsOnly) };
  if ('text' in body) return { ...body, text: withoutBlobs(body.text) };
  if ('command' in body) return { ...body, command: withoutBlobs(body.command) };
  return body;
}

const maxRunLength = 400;
const maxLineLength = 1_000;
const maxTextLength = 1024 * 1024;
/** Lines with a smaller share of spaces count as minified code. Prose has about one space per six letters. */
const maxMinifiedSpaceShare = 0.08;
/**
 * Long runs of characters that are used in encodings such as base64. The lookbehind lets a match begin only at the
 * start of a run; otherwise long texts would take quadratic time.
 */
const blob = new RegExp(`(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_=-]{${maxRunLength},}`, 'g');

export function withoutBlobs(text: string): string {
  // Short texts contain no blob. Of very long texts, capture.ts keeps only the beginning and the end.
  if (text.length < maxRunLength || text.length > maxTextLength) return text;
  return text
    .split('\n')
    .map((line) => (line.length < maxRunLength ? line : shorter(line)))
    .join('\n');
}

function shorter(line: string): string {
  const open = line.replace(blob, (run) => sized(run.length, 'base64'));
  return open.length >= maxLineLength && isMinified(open) ? sized(open.length, 'minified text') : open;
}

/**
 * Returns whether a line looks like minified code. Chinese, Japanese and Thai prose has no spaces either, but little
 * ASCII.
 */
function isMinified(line: string): boolean {
  const others = line.replace(/[\x20-\x7f]/g, '').length;
  return line.split(' ').length / line.length < maxMinifiedSpaceShare && others / line.length < 0.2;
}

const sized = (length: number, what: string): string =>
  `[… ${length < 1024 ? `${length} bytes` : `${Math.round(length / 1024)} KB`} of ${what} …]`;

const lockFiles =
  /(?:^|[\\/])(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|Cargo\.lock|go\.sum|poetry\.lock|uv\.lock|pdm\.lock|Pipfile\.lock|composer\.lock|Gemfile\.lock|mix\.lock|pubspec\.lock|packages\.lock\.json|flake\.lock|gradle\.lockfile|Podfile\.lock)$/;

export const isLockFile = (path: string): boolean => lockFiles.test(path);

/** Keeps only the number of changed lines of a lock file, because nobody asks who wrote them. */
const countsOnly = <T extends EditHunk>(hunk: T): T => ({
  ...hunk,
  added: hunk.added.length > 0 ? [`${hunk.added.length} lines`] : [],
  removed: hunk.removed.length > 0 ? [`${hunk.removed.length} lines`] : [],
});

const maxWholeOutputLength = 1_200;
const keptTailLength = 900;
const maxResultLines = 12;
const maxResultLineLength = 300;
const resultWords =
  /\b(?:error|errors|failed|failure|failures|fail|fatal|exception|panic|panicked|traceback|assert\w*|expected|denied|refused|cannot|not found|undefined reference|segmentation|timed? ?out|passed|warning: unused|Tests?:|Test Files|✗|✖|×|FAIL|E\d{3,4})/i;

/** Shortens a long output to its last lines and to the earlier lines that report errors or results. */
export function shortOutput(output: string): string {
  const clean = withoutBlobs(output);
  if (clean.length <= maxWholeOutputLength) return clean;
  const cut = clean.indexOf('\n', clean.length - keptTailLength);
  const tailStart = cut === -1 ? clean.length - keptTailLength : cut + 1;
  const lines = clean.slice(0, tailStart).split('\n');
  const results = lines
    .map((line) => line.slice(0, maxResultLineLength))
    .filter((line) => resultWords.test(line));
  const half = maxResultLines / 2;
  const kept = [...results.slice(0, half), ...results.slice(half).slice(-half)];
  const left = lines.length - kept.length;
  return [...kept, ...(left > 0 ? [`[… ${left} more lines …]`] : []), clean.slice(tailStart)]
    .join('\n')
    .toWellFormed();
}
