import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPrelude } from '../../src/memory/prelude/prelude-file.ts';
import { atLeast, atMost, type Evaluation, round, showProgress } from '../../test/harness/evaluation.ts';
import { importFolder } from '../recall-wordings/import-sessions.ts';
import { playAgent } from './play-agent.ts';
import { readWithFiles } from './read-with-files.ts';

/**
 * The judgement of one line of a prelude, by somebody who read the whole history and has not seen the code: right,
 * overturned later, wrong, or noise. `musts` are the ids of the entries of holds.json that the line covers.
 */
interface JudgedLine {
  text: string;
  label: 'right' | 'overturned' | 'wrong' | 'noise';
  musts?: string[];
}

/** What a writer of memory led to. */
export interface Told {
  /** The lines that a new session is told. */
  lines: string[];
  /** Statements that are not told, because the check refused them, with the reason. */
  refused: string[];
  /** Why the project is not measured, such as an answer that is missing; empty if it is. */
  missing: string;
}

/** Percentages: lines right at least, overturned or wrong at most, "must" topics told at least. */
const bars = { none: [90, 2, 0], model: [92, 2, 85], agent: [92, 2, 75] } as const;
type WriterName = keyof typeof bars;

/**
 * What a new session is told about real projects, and whether it holds, for each of the three writers of memory. The
 * files of a project are described in docs/internals/evaluations.md. Lines to be judged are written to
 * `<writer>-lines.txt`.
 */
export const holds: Evaluation = {
  name: 'holds',
  summary:
    'what new sessions of real projects are told: right, overturned, wrong or noise, by independent judges',
  file: import.meta.filename,
  measures: ['src/distil', 'src/memory/notes', 'src/memory/prelude', 'src/mcp/remember.ts'],
  async run({ data, writer: name = 'none' }) {
    if (!isWriter(name)) throw new Error('give --writer none, model or agent');
    const projects = data === undefined ? [] : projectsIn(data, name);
    if (data === undefined || projects.length === 0)
      return { n: 0, figures: { skipped: 'no projects; name their folder with --data DIR' }, bars: {} };
    const judged: JudgedLine[] = [];
    const musts = new Set<string>();
    const covered = new Set<string>();
    const missing: string[] = [];
    let [unjudged, refused] = [0, 0];
    for (const [at, project] of projects.entries()) {
      const folder = join(data, project);
      const told = await writers[name](project, folder);
      showProgress(at + 1, projects.length);
      if (told.missing !== '') {
        missing.push(told.missing);
        continue;
      }
      const { lines } = told;
      const labels = readLabels(folder, name);
      const known = lines.flatMap((text) => labels.get(text) ?? []);
      judged.push(...known);
      unjudged += lines.length - known.length;
      refused += told.refused.length;
      writeFileSync(
        join(folder, fileOf(name, 'lines.txt')),
        lines.map((text, line) => `L${line + 1} ${text}\n`).join(''),
      );
      if (name !== 'none')
        writeFileSync(
          join(folder, fileOf(name, 'refused.txt')),
          told.refused.map((text) => `${text}\n`).join(''),
        );
      for (const id of readMusts(folder)) musts.add(`${project} ${id}`);
      for (const { label, musts: told = [] } of known)
        if (label === 'right') for (const id of told) covered.add(`${project} ${id}`);
    }
    const share = (...wanted: JudgedLine['label'][]): number =>
      round((100 * judged.filter(({ label }) => wanted.includes(label)).length) / Math.max(1, judged.length));
    const [right, wrong, told] = bars[name];
    return {
      n: judged.length,
      figures: {
        writer: name,
        projects: projects.length - missing.length,
        lines: judged.length + unjudged,
        unjudged,
        ...(name === 'none' ? {} : { refused }),
        '"must" topics': musts.size,
        ...(missing.length === 0 ? {} : { missing: missing.join('; ') }),
      },
      bars: {
        'lines right %': atLeast(share('right'), right),
        'overturned or wrong %': atMost(share('overturned', 'wrong'), wrong),
        '"must" topics told %': atLeast(
          round((100 * [...covered].filter((id) => musts.has(id)).length) / Math.max(1, musts.size)),
          told,
        ),
      },
    };
  },
};

const isWriter = (name: string): name is WriterName => Object.hasOwn(bars, name);

const writers: Record<WriterName, (project: string, folder: string) => Promise<Told>> = {
  async none(project, folder) {
    const { parts } = await importFolder(project, folder);
    return { lines: linesOf(readPrelude(parts.paths, parts.project)?.lines ?? []), refused: [], missing: '' };
  },
  async model(project, folder) {
    const { parts } = await importFolder(project, folder);
    const requests = join(folder, 'requests');
    const { missing, refused } = await readWithFiles(parts, { folder: requests, mode: 'replay' });
    return { lines: linesOf(readPrelude(parts.paths, parts.project)?.lines ?? []), refused, missing };
  },
  agent: playAgent,
};

/** The lines that tell something that was said. What Backstory observed is left out. */
const linesOf = (lines: { text: string; note?: string | undefined }[]): string[] =>
  lines.filter(({ note }) => note !== undefined).map(({ text }) => text.replace(/ \[\w+\]$/, ''));

/** Files of the writer "none" have no prefix. */
const fileOf = (writer: WriterName, name: string): string => (writer === 'none' ? name : `${writer}-${name}`);

const projectsIn = (data: string, writer: WriterName): string[] =>
  readdirSync(data)
    .filter((name) => existsSync(join(data, name, writer === 'agent' ? 'calls.jsonl' : 'holds.json')))
    .sort();

function readLabels(folder: string, writer: WriterName): Map<string, JudgedLine> {
  const path = join(folder, fileOf(writer, 'judged.json'));
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
