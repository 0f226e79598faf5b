import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lineHash } from '../../src/base/hash.ts';
import type { EditHunk } from '../../src/domain/event.ts';
import { git } from '../../test/support/sandbox.ts';
import { type Topic, topics } from './stories.ts';

/** A repository that grows as the agents of the data set work in it: its edits and commits are real. */
export interface SampleRepo {
  /** Each topic has several files; the first is where most is done. */
  pathOf(topic: Topic, variant?: number): string;
  /** Adds a function to the topic's file; the hunk an agent would report. */
  edit(topic: Topic, number: number): EditHunk;
  commit(message: string, at: number): void;
  /** The world goes on: files change, move and go after notes were made for them. */
  goOn(at: number): void;
  /** The files that it then changes. */
  changed: string[];
}

export function createSampleRepo(root: string, begun: number): SampleRepo {
  const files = new Map<string, string[]>();
  const pathOf = ({ folder, part }: Topic, variant = 0): string =>
    `src/${folder}/${part}${variants[variant % variants.length]}.ts`;
  const write = (path: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `${files.get(path)?.join('\n')}\n`);
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
  for (const topic of topics) {
    for (const variant of variants.keys()) {
      files.set(pathOf(topic, variant), opening(topic));
      write(pathOf(topic, variant));
    }
  }
  git(root, 'config', 'user.email', 't@example.org');
  commit('The shop as it was', begun);
  const isChanged = (_: Topic, place: number): boolean => place % 4 === 1;
  return {
    pathOf,
    commit,
    changed: topics.filter(isChanged).map((topic) => pathOf(topic)),
    edit(topic, number) {
      const path = pathOf(topic);
      const lines = files.get(path) ?? [];
      const added = ['', ...addition(topic, number)];
      const newStart = lines.length + 1;
      files.set(path, [...lines, ...added]);
      write(path);
      return { oldStart: newStart, newStart, added: added.map(lineHash), removed: [] };
    },
    goOn(at) {
      for (const [place, topic] of topics.entries()) {
        const path = pathOf(topic);
        const lines = files.get(path) ?? [];
        if (isChanged(topic, place)) {
          files.set(
            path,
            lines.map((line) => line.replace('return row;', 'return row ?? fallback(row);')),
          );
          write(path);
        } else if (place % 7 === 3) renameSync(join(root, path), join(root, path.replace('.ts', '-v2.ts')));
        else if (place % 9 === 8) rmSync(join(root, path));
      }
      commit('A quiet week of tidying up', at);
    },
  };
}

const variants = ['', '-store', '-api', '-job', '-rules', '-report'];

const opening = ({ symbol, thing, choice }: Topic): string[] => [
  `import { query } from '../store/query.ts';`,
  '',
  `/** About ${thing}: ${choice}. */`,
  `export async function ${symbol}(tenant: string): Promise<Row> {`,
  `  const row = await query('${symbol}', { tenant });`,
  '  return row;',
  '}',
];

const addition = ({ symbol, thing }: Topic, number: number): string[] => [
  `/** Case ${number} of ${thing}. */`,
  `export function ${symbol}${number}(row: Row): Row {`,
  `  if (row.version !== ${number}) return retry(row, ${number});`,
  `  assert(row.tenant !== '', 'case ${number}');`,
  '  return row;',
  '}',
];
