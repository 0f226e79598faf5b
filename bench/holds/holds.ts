import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPrelude } from '../../src/memory/prelude/prelude-file.ts';
import { atLeast, atMost, type Evaluation, round, showProgress } from '../../test/harness/evaluation.ts';
import { importSessions } from '../recall-real/import-sessions.ts';
import { readSessions } from '../recall-real/read-sets.ts';

/**
 * The judgement of one line of a prelude, by somebody who read the whole history and has not seen the code: right,
 * overturned later, wrong, or noise. `must` is the id of the entry of holds.json that the line covers.
 */
interface JudgedLine {
  text: string;
  label: 'right' | 'overturned' | 'wrong' | 'noise';
  must?: string;
}

/**
 * What a new session is told about real projects, and whether it holds. DIR has one folder per project: sessions.jsonl,
 * holds.json (what holds at the end, by an independent reader) and judged.json (the labels of the lines). Lines without
 * a label are written to lines.txt, to be judged.
 */
export const holds: Evaluation = {
  name: 'holds',
  summary:
    'what new sessions of real projects are told: right, overturned, wrong or noise, by independent judges',
  async run({ data }) {
    const names = data === undefined ? [] : projectsIn(data);
    if (data === undefined || names.length === 0)
      return { n: 0, figures: { skipped: 'no projects; name their folder with --data DIR' }, bars: {} };
    const judged: JudgedLine[] = [];
    let unjudged = 0;
    let musts = 0;
    for (const [at, name] of names.entries()) {
      const folder = join(data, name);
      const lines = await toldLines(name, folder);
      const labels = readLabels(folder);
      const known = lines.flatMap((text) => labels.get(text) ?? []);
      judged.push(...known);
      unjudged += lines.length - known.length;
      writeFileSync(join(folder, 'lines.txt'), lines.map((text, line) => `L${line + 1} ${text}\n`).join(''));
      musts += readMusts(folder).length;
      showProgress(at + 1, names.length);
    }
    const share = (...wanted: JudgedLine['label'][]): number =>
      round((100 * judged.filter(({ label }) => wanted.includes(label)).length) / Math.max(1, judged.length));
    const told = judged.filter(({ label, must }) => label === 'right' && must !== undefined).length;
    return {
      n: judged.length,
      figures: { projects: names.length, lines: judged.length + unjudged, unjudged, 'must topics': musts },
      bars: {
        'lines right %': atLeast(share('right'), 85),
        'overturned or wrong %': atMost(share('overturned', 'wrong'), 2),
        '"must" topics told %': atLeast(round((100 * told) / Math.max(1, musts)), 15),
      },
    };
  },
};

const projectsIn = (data: string): string[] =>
  readdirSync(data)
    .filter((name) => existsSync(join(data, name, 'holds.json')))
    .sort();

/** The lines that tell something that was said. What Backstory observed is left out. */
async function toldLines(name: string, folder: string): Promise<string[]> {
  const { parts } = await importSessions(name, readSessions(folder));
  const lines = readPrelude(parts.paths, parts.project)?.lines ?? [];
  return lines.filter(({ note }) => note !== undefined).map(({ text }) => text.replace(/ \[\w+\]$/, ''));
}

function readLabels(folder: string): Map<string, JudgedLine> {
  const path = join(folder, 'judged.json');
  if (!existsSync(path)) return new Map();
  const lines = JSON.parse(readFileSync(path, 'utf8')) as JudgedLine[];
  return new Map(lines.map((line) => [line.text, line]));
}

const readMusts = (folder: string): string[] =>
  (
    JSON.parse(readFileSync(join(folder, 'holds.json'), 'utf8')) as { holds: { id: string; tell: string }[] }
  ).holds
    .filter(({ tell }) => tell === 'must')
    .map(({ id }) => id);
