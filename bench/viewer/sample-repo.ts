import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lineHash } from '../../src/base/hash.ts';
import type { EditHunk } from '../../src/domain/event.ts';
import { headOf } from '../../src/drift/current-code.ts';
import { git } from '../../test/support/sandbox.ts';
import { type Topic, topics } from './stories.ts';

/** A repository with real edits and commits by the agents of the data set. */
export interface SampleRepo {
  /** Each topic has several files; most work is in the first. */
  file(topic: Topic, variant?: number): SampleFile;
  files: SampleFile[];
  /** Adds a function to a file. Returns the hunk that an agent would report, and its lines. */
  edit(file: SampleFile, number: number): { hunk: EditHunk; from: number; to: number };
  commit(message: string, at: number): void;
  head(): string;
  /** Changes, moves and deletes files after notes were made about them. */
  goOn(at: number): void;
}

export interface SampleFile {
  path: string;
  topic: Topic;
  /** The first exported symbol, in `opening`. */
  symbol: string;
  opening: { from: number; to: number };
  fate: 'stays' | 'changed' | 'moved' | 'gone';
  lines: string[];
}

const variants =
  ' store api job rules report cache events import export audit limits migration metrics mail types client errors format guard retry seed page view'.split(
    ' ',
  );
export const filesPerTopic = variants.length;

export function createSampleRepo(root: string, begun: number): SampleRepo {
  const files = topics.flatMap((topic) => variants.map((variant) => sampleFile(topic, variant)));
  for (const [place, file] of files.entries()) file.fate = fateOf(place);
  const write = ({ path, lines }: SampleFile): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `${lines.join('\n')}\n`);
  };
  const commit = (message: string, at: number): void => {
    git(root, 'add', '-A');
    const date = new Date(at).toISOString();
    process.env.GIT_AUTHOR_DATE = date;
    process.env.GIT_COMMITTER_DATE = date;
    git(root, 'commit', '-q', '--allow-empty', '-m', message);
    delete process.env.GIT_AUTHOR_DATE;
    delete process.env.GIT_COMMITTER_DATE;
  };
  for (const file of files) write(file);
  git(root, 'config', 'user.email', 't@example.org');
  commit('The shop as it was', begun);
  return {
    files,
    file: (topic, variant = 0) =>
      files[topics.indexOf(topic) * variants.length + (variant % variants.length)] as SampleFile,
    commit,
    head: () => headOf(root).head,
    edit(file, number) {
      const added = ['', ...addition(file, number)];
      const newStart = file.lines.length + 1;
      file.lines.push(...added);
      write(file);
      return {
        hunk: { oldStart: newStart, newStart, added: added.map(lineHash), removed: [] },
        from: newStart + 1,
        to: newStart + added.length - 1,
      };
    },
    goOn(at) {
      for (const file of files) {
        if (file.fate === 'changed') {
          file.lines = file.lines.map((line) => line.replace('return row;', 'return row ?? fallback(row);'));
          write(file);
        } else if (file.fate === 'moved') {
          const path = file.path.replace('src/', 'packages/');
          mkdirSync(dirname(join(root, path)), { recursive: true });
          renameSync(join(root, file.path), join(root, path));
          file.path = path;
        } else if (file.fate === 'gone') rmSync(join(root, file.path));
      }
      commit('A quiet week of tidying up', at);
      // Work in a deleted file starts with an empty one.
      for (const file of files) if (file.fate === 'gone') file.lines = [];
    },
  };
}

const fateOf = (place: number): SampleFile['fate'] => {
  if (place % 9 === 0) return 'changed';
  if (place % 13 === 3) return 'moved';
  return place % 17 === 5 ? 'gone' : 'stays';
};

function sampleFile(topic: Topic, variant: string): SampleFile {
  const suffix = variant === '' ? '' : `-${variant}`;
  const symbol = `${topic.symbol}${variant.charAt(0).toUpperCase()}${variant.slice(1)}`;
  const lines = opening({ ...topic, symbol });
  return {
    path: `src/${topic.folder}/${topic.part}${suffix}.ts`,
    topic,
    symbol,
    opening: { from: 3, to: lines.length },
    fate: 'stays',
    lines,
  };
}

const opening = ({ symbol, thing, choice }: Topic): string[] => [
  `import { query } from '../store/query.ts';`,
  '',
  `/** About ${thing}: ${choice}. */`,
  `export async function ${symbol}(tenant: string): Promise<Row> {`,
  `  const row = await query('${symbol}', { tenant });`,
  '  return row;',
  '}',
];

const addition = ({ symbol, topic: { thing } }: SampleFile, number: number): string[] => [
  `/** Case ${number} of ${thing}. */`,
  `export function ${symbol}${number}(row: Row): Row {`,
  `  if (row.version !== ${number}) return retry(row, ${number});`,
  `  assert(row.tenant !== '', 'case ${number}');`,
  '  return row;',
  '}',
];
