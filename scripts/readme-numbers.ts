import { readFileSync } from 'node:fs';

/** The table "Numbers" of the README, from the newest full runs in bench/results. */
const heading = '## Numbers\n\n';

type Figures = Record<string, number | string>;

function resultsOf(name: string): { n: number; figures: Figures } {
  return JSON.parse(readFileSync(`bench/results/${name}.json`, 'utf8'));
}

function numberOf(name: string, figure: string): number {
  const value = resultsOf(name).figures[figure];
  if (typeof value !== 'number') throw new Error(`bench/results/${name}.json has no figure ${figure}`);
  return value;
}

const ratio = (name: string, figure: string): string => `${numberOf(name, figure).toFixed(1)} ×`;
const percent = (name: string, figure: string): string => `${Math.round(numberOf(name, figure) * 100)} %`;
const whole = (value: number): string => Math.round(value).toLocaleString('en-US');

function rows(): string[][] {
  const size = numberOf('package-size', 'installedMb') + numberOf('package-size', 'modelMb');
  const channels = String(resultsOf('canaries').figures.channels).split(' ').length;
  return [
    ['measurement', 'result', '`npm run eval -- …`'],
    [
      'hook at session start, with a full prelude (goal: 1.5)',
      `${ratio('hook-latency', 'sessionStartRatio')} a bare \`node -e 0\``,
      '`hook-latency`',
    ],
    [
      'hook at the end of a turn with 100 KB (goal: 1.5)',
      ratio('hook-latency', 'stopRatio'),
      '`hook-latency`',
    ],
    [
      `${whole(resultsOf('crash').n)} × \`kill -9\`; disk full at ${whole(resultsOf('disk-full').n)} sizes`,
      `${numberOf('crash', 'hookEventsLost')} acknowledged events lost`,
      '`crash`, `disk-full`',
    ],
    [`secrets sent through ${channels} channels`, '0 on disk', '`canaries`'],
    [
      'installed size',
      `${whole(size)} MB, ${numberOf('package-size', 'packages')} package`,
      '`package-size`',
    ],
    [
      'questions about the real sessions it was tuned on, answer in 3 hits',
      `${percent('recall-real', 'all.hit3')} (plain FTS5: ${percent('recall-real', 'all.fts5.hit3')})`,
      '`recall-real`',
    ],
    [
      "a commit's file among the first 4 of a pack",
      `${percent('context-pack', 'held out ours hit4')} (BM25: ${percent('context-pack', 'held out bm25 hit4')})`,
      '`context-pack`',
    ],
    [
      'code search in the Linux kernel, warm',
      `${whole(numberOf('code-search', 'limit20MeanMs'))} ms (ripgrep: ${whole(numberOf('code-search', 'ripgrepMeanMs'))} ms)`,
      '`code-search`',
    ],
  ];
}

function aligned(all: string[][]): string {
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => (row[column] as string).length)));
  const line = (row: string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] as number)).join(' | ')} |`;
  const [head, ...body] = all.map(line);
  return [head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body].join('\n');
}

/** The README with the current numbers. */
export function readmeWithNumbers(): string {
  const text = readFileSync('README.md', 'utf8');
  const from = text.indexOf(heading) + heading.length;
  return `${text.slice(0, from)}${aligned(rows())}${text.slice(text.indexOf('\n\n', from))}`;
}
