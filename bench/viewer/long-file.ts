import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lineHash } from '../../src/base/hash.ts';
import type { EditHunk } from '../../src/domain/event.ts';
import type { Random } from '../../test/harness/random.ts';
import type { SampleFile } from './sample-repo.ts';
import { type Topic, topics } from './stories.ts';

/** A file of about 2,000 lines that every session of the data set changes, for the page of a file. */
export interface LongFile extends SampleFile {
  /** Adds a function after another one, or changes a line. Returns the hunk and the new lines. */
  change(number: number, topic: Topic): { hunk: EditHunk; from: number; to: number };
  /** The lines of the latest change. */
  latest: { from: number; to: number };
  /** Adds lines, and takes them away again: an attempt that failed. */
  attempt(): { tried: EditHunk; reverted: EditHunk };
}

export const longFilePath = 'src/orders/ledger.ts';
const wantedLines = 2_000;
const linesPerChange = 6;

export function createLongFile(root: string, sessions: number, random: Random): LongFile {
  const topic = topics[1] as Topic;
  const lines = [
    "import { query, transaction } from '../store/query.ts';",
    "import type { Entry, Row, Tenant } from './types.ts';",
    '',
    'const pageSize = 250;',
    'const maxAttempts = 5;',
    '',
  ];
  for (let number = 1; lines.length < wantedLines - linesPerChange * sessions; number++)
    lines.push(...functionText(`entry${number}`, topics[number % topics.length] as Topic, number), '');
  const write = (): void => {
    mkdirSync(dirname(join(root, longFilePath)), { recursive: true });
    writeFileSync(join(root, longFilePath), `${lines.join('\n')}\n`);
  };
  write();
  const insert = (at: number, added: string[], removed: string[] = []): EditHunk => {
    lines.splice(at, removed.length, ...added);
    write();
    return {
      oldStart: at + 1,
      newStart: at + 1,
      added: added.map(lineHash),
      removed: removed.map(lineHash),
    };
  };
  const ends = (): number[] => lines.flatMap((line, at) => (line === '}' ? [at + 2] : []));
  return {
    path: longFilePath,
    topic,
    symbol: 'entry1',
    opening: { from: 7, to: 16 },
    fate: 'stays',
    latest: { from: 7, to: 15 },
    lines,
    change(number, about) {
      const end = random.pick(ends());
      const returned = lines.findIndex((line, at) => at > end && line.startsWith('  return'));
      if (random.chance(0.3) && returned !== -1) {
        const old = lines[returned] as string;
        const added = [`  if (row.version > ${number}) throw new Conflict(row.id, ${number});`, old];
        return { hunk: insert(returned, added, [old]), from: returned + 1, to: returned + 1 };
      }
      const added = [...functionText(`${about.symbol}Entry${number}`, about, 10_000 + number), ''];
      return { hunk: insert(end, added), from: end + 1, to: end + added.length - 1 };
    },
    attempt() {
      const at = random.pick(ends());
      const added = [
        'const recent = new Map<string, Row>();',
        'function remembered(id: string): Row | undefined {',
        '  return recent.get(id);',
        '}',
        '',
      ];
      const tried = insert(at, added);
      lines.splice(at, added.length);
      write();
      const reverted = { oldStart: at + 1, newStart: at + 1, added: [], removed: added.map(lineHash) };
      return { tried, reverted };
    },
  };
}

/** Every line has its own words, as in a real file; git blame would take equal lines for copies. */
const functionText = (name: string, { thing, choice, reason }: Topic, number: number): string[] => [
  `/** Books entry ${number} of ${thing} with ${choice}, because ${reason}. */`,
  `export async function ${name}(tenant: Tenant, entry: Entry): Promise<Row> {`,
  `  const ${name}Rows = await query('select * from ledger where tenant = $1', [tenant.id, ${number}]);`,
  `  const total = ${name}Rows.reduce((sum, row) => sum + row.amount, ${number});`,
  `  if (total > ${number * 100} && !entry.isApproved) {`,
  `    return transaction((store) => store.hold(entry, \`${name} \${entry.id}\`));`,
  '  }',
  `  return { ...entry, total, version: ${number} }; // ${name}`,
  '}',
];
