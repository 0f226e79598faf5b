import type { Observation } from '../agents/agent.ts';

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

const longestRun = 400;
/** A pattern that takes more than this at one go can use up the stack. */
const longestLook = 1_000_000;
const base64 = /^[A-Za-z0-9+/_=-]+$/;

/** Long runs without a space are for programs; how long they were is all a reader wants to know. */
export function withoutBlobs(text: string): string {
  const kept: string[] = [];
  let done = 0;
  for (const [start, end] of longRuns(text)) {
    kept.push(text.slice(done, start), named(text.slice(start, end)));
    done = end;
  }
  return done === 0 ? text : kept.join('') + text.slice(done);
}

/**
 * Of ASCII alone: Chinese and Japanese prose has no spaces either. By hand, because a pattern for a run of any
 * length fails on one of ten million letters.
 */
function longRuns(text: string): [start: number, end: number][] {
  const runs: [number, number][] = [];
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    const unit = at === text.length ? 0x20 : text.charCodeAt(at);
    if (unit > 0x20 && unit < 0x80) continue;
    if (at - start >= longestRun) runs.push([start, at]);
    start = at + 1;
  }
  return runs;
}

function named(blob: string): string {
  if (blob.length > longestLook) {
    return sized(blob.length, base64.test(blob.slice(0, longestLook)) ? 'base64' : 'minified text');
  }
  // A list of addresses or paths is long and says something; a blob hardly ever pauses.
  const inner = /[A-Za-z0-9+/_=-]{400,}/.exec(blob);
  if (inner !== null && !base64.test(blob)) {
    const rest = blob.slice(inner.index + inner[0].length);
    return `${blob.slice(0, inner.index)}${sized(inner[0].length, 'base64')}${rest.length > longestRun ? sized(rest.length, 'minified text') : rest}`;
  }
  return sized(blob.length, inner === null ? 'minified text' : 'base64');
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
