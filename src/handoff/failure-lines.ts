/** A line on which a test runner names a failed test. The runner's mark is required, so that prose does not match. */
const failedTest =
  /^\s*(?:[✖✗×✘●]|not ok\b|FAIL(?:ED)?\b|---\s*FAIL|E\s{2,}|test .+ \.\.\. FAILED|\d+\) )|^\s*#\s*fail\s+[1-9]/;
const reason =
  /\b(?:\w*(?:Error|Exception)\b|error(?:\[\w+\])?:|panicked|fatal|expected|actual|assert\w*|cannot|not found|undefined|denied|refused|timed? ?out)/i;
const stackFrame = /^\s+at\s|^\s*node:internal|^\s*\^+\s*$/;

/** Selects the lines of a failed program's output that name failed tests and reasons; without such lines, the last. */
export function failureLines(output: string, limit: number): string[] {
  const lines = output
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== '' && !stackFrame.test(line));
  const relevant = [...new Set(lines)].filter((line) => failedTest.test(line) || reason.test(line));
  if (relevant.length === 0) return lines.slice(-limit);
  const first = relevant.filter((line) => failedTest.test(line)).slice(0, limit);
  const chosen = new Set([...first, ...relevant.slice(0, limit - first.length)]);
  return relevant.filter((line) => chosen.has(line));
}
