import type { Observation } from '../../agents/agent.ts';

/**
 * What of an observation is worth keeping. Noise is said by its size: blobs, minified code, the thousands of
 * lines of a lock file, and the middle of a long output. Pure, and applied before anything is stored.
 */
export function withoutNoise<T extends Observation['body']>(body: T): T {
  if ('output' in body && body.output !== undefined) return { ...body, output: tellingOutput(body.output) };
  if ('hunks' in body && isLockFile(body.path)) return { ...body, hunks: body.hunks.map(countsOnly) };
  if ('text' in body) return { ...body, text: withoutBlobs(body.text) };
  if ('command' in body) return { ...body, command: withoutBlobs(body.command) };
  return body;
}

const maxRunLength = 400;
const maxLineLength = 1_000;
const maxTextLength = 1024 * 1024;
/** Prose has a space for every six letters; code that was made for machines has next to none. */
const fewSpaces = 0.08;
/** Tried only where a run begins: from every letter of it, a long text would take minutes. */
const blob = new RegExp(`(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_=-]{${maxRunLength},}`, 'g');

/** Encoded bytes and minified code are for programs; how long they were is all a reader wants to know. */
export function withoutBlobs(text: string): string {
  // What is longer is kept by its two ends, in capture.ts.
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

/** Chinese, Japanese and Thai prose has no spaces either, but hardly a letter of ASCII. */
function isMinified(line: string): boolean {
  const others = line.match(/[^\x20-\x7f]/g)?.length ?? 0;
  return line.split(' ').length / line.length < fewSpaces && others / line.length < 0.2;
}

const sized = (length: number, what: string): string =>
  `[… ${length < 1024 ? `${length} bytes` : `${Math.round(length / 1024)} KB`} of ${what} …]`;

const lockFiles =
  /(?:^|[\\/])(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|Cargo\.lock|go\.sum|poetry\.lock|uv\.lock|pdm\.lock|Pipfile\.lock|composer\.lock|Gemfile\.lock|mix\.lock|pubspec\.lock|packages\.lock\.json|flake\.lock|gradle\.lockfile|Podfile\.lock)$/;

export const isLockFile = (path: string): boolean => lockFiles.test(path);

interface Hunk {
  oldStart: number;
  newStart: number;
  added: string[];
  removed: string[];
}

/** Nobody asks who wrote a line of a lock file; how many changed is told by where the hunks stand. */
const countsOnly = <T extends Hunk>(hunk: T): T => ({
  ...hunk,
  added: hunk.added.length > 0 ? [`${hunk.added.length} lines`] : [],
  removed: hunk.removed.length > 0 ? [`${hunk.removed.length} lines`] : [],
});

const keptWhole = 1_200;
const keptTail = 900;
const maxTelling = 12;
const maxLine = 300;
const telling =
  /\b(?:error|errors|failed|failure|failures|fail|fatal|exception|panic|panicked|traceback|assert\w*|expected|denied|refused|cannot|not found|undefined reference|segmentation|timed? ?out|passed|warning: unused|Tests?:|Test Files|✗|✖|×|FAIL|E\d{3,4})/i;

/** Of a long output: the lines that say what went wrong or how it ended, and its end. */
export function tellingOutput(output: string): string {
  const clean = withoutBlobs(output);
  if (clean.length <= keptWhole) return clean;
  const cut = clean.indexOf('\n', clean.length - keptTail);
  const tailStart = cut === -1 ? clean.length - keptTail : cut + 1;
  const lines = clean.slice(0, tailStart).split('\n');
  const told = lines
    .filter((line) => telling.test(line.slice(0, maxLine)))
    .map((line) => line.slice(0, maxLine));
  const kept = [...told.slice(0, maxTelling / 2), ...told.slice(maxTelling / 2).slice(-maxTelling / 2)];
  const left = lines.length - kept.length;
  return [...kept, ...(left > 0 ? [`[… ${left} more lines …]`] : []), clean.slice(tailStart)]
    .join('\n')
    .toWellFormed();
}
