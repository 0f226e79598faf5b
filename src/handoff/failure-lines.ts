/** Names what failed; a runner's mark before it, so that prose about failing does not count. */
const failed =
  /^\s*(?:[✖✗×✘●]|not ok\b|FAIL(?:ED)?\b|---\s*FAIL|E\s{2,}|test .+ \.\.\. FAILED|\d+\) )|^\s*#\s*fail\s+[1-9]/;
const reason =
  /\b(?:\w*(?:Error|Exception)\b|error(?:\[\w+\])?:|panicked|fatal|expected|actual|assert\w*|cannot|not found|undefined|denied|refused|timed? ?out)/i;
const stackFrame = /^\s+at\s|^\s*node:internal|^\s*\^+\s*$/;

/** Of what a failed program printed: which tests, and why; else how it ended. In the order in which it was said. */
export function failureLines(output: string, limit: number): string[] {
  const lines = output
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== '' && !stackFrame.test(line));
  const telling = [...new Set(lines)].filter((line) => failed.test(line) || reason.test(line));
  if (telling.length === 0) return lines.slice(-limit);
  const first = telling.filter((line) => failed.test(line)).slice(0, limit);
  const chosen = new Set([...first, ...telling.slice(0, limit - first.length)]);
  return telling.filter((line) => chosen.has(line));
}
