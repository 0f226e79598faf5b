import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '../../src/base/clock.ts';
import { buildSegments } from '../../src/code/index/build-segments.ts';
import { Segment } from '../../src/code/index/segment.ts';
import { candidateBlocks } from '../../src/code/pattern/candidates.ts';
import { createFinder } from '../../src/code/pattern/finder.ts';
import { readSourceFile } from '../../src/code/source-file.ts';
import { temporaryFolder } from '../../test/harness/cleanup.ts';
import { linuxSource, listedFiles } from '../../test/harness/corpora.ts';
import { atLeast, type Evaluation, exactly, median, round } from '../../test/harness/evaluation.ts';
import { createRandom } from '../../test/harness/random.ts';

/** Compares SQLite's trigram index with Backstory's posting lists on the same files, for ADR 14. */
export const fts5Trigram: Evaluation = {
  name: 'fts5-trigram',
  summary: "SQLite's trigram index and ours on the same part of the Linux kernel: CPU, size, candidates.",
  async run({ isShort, seed }) {
    const root = linuxSource();
    const paths = listedFiles(root).filter((_, at) => at % (isShort ? 100 : 20) === 0);
    const texts = paths.flatMap((path) => {
      const file = readSourceFile(join(root, path));
      return file.kind === 'text' ? [{ path, text: file.bytes.toString('utf8') }] : [];
    });
    const folder = temporaryFolder('fts5');
    mkdirSync(join(folder, 'own'));
    const own = cpuOf(() =>
      buildSegments({ root, paths, folder: join(folder, 'own'), name: 'x', clock: systemClock }),
    );
    const [entry] = own.value;
    if (entry === undefined) throw new Error('nothing was built');
    const segment = new Segment(join(folder, 'own'), entry);
    const database = new DatabaseSync(join(folder, 'fts5.db'));
    const theirs = cpuOf(() => fillFts5(database, texts));
    const random = createRandom(seed);
    const words = Array.from(
      { length: 100 },
      () => random.pick(random.pick(texts).text.match(/\b[A-Za-z_]\w{5,24}\b/g) ?? ['struct']) as string,
    );
    const ask = database.prepare('SELECT rowid FROM code WHERE code MATCH ?');
    const [ownMs, theirMs]: [number[], number[]] = [[], []];
    let lost = 0;
    for (const word of words) {
      const { plan } = createFinder(literal(word));
      ownMs.push(cpuOf(() => candidateBlocks(plan, segment)).ms);
      const grams = Array.from({ length: word.length - 2 }, (_, at) => `"${word.slice(at, at + 3)}"`);
      theirMs.push(cpuOf(() => ask.all(grams.join(' AND '))).ms);
      const blocks = candidateBlocks(plan, segment);
      const offered = new Set(
        blocks === 'all'
          ? []
          : Array.from(blocks, (block) => segment.pathOf(segment.tables.blockFile[block] as number)),
      );
      lost += texts.filter(({ path, text }) => text.includes(word) && !offered.has(path)).length;
    }
    const mb = Number(database.prepare('PRAGMA page_count').get()?.page_count) * 4_096;
    database.close();
    segment.close();
    return {
      n: texts.length,
      figures: {
        sourceMb: round(texts.reduce((sum, { text }) => sum + text.length, 0) / 1e6),
        ownBuildCpuMs: round(own.ms),
        fts5BuildCpuMs: round(theirs.ms),
        ownMb: round(entry.bytes / 1e6),
        fts5Mb: round(mb / 1e6),
        ownCandidatesMs: round(median(ownMs)),
        fts5CandidatesMs: round(median(theirMs)),
      },
      bars: {
        lost: exactly(lost, 0),
        timesCheaperToBuild: atLeast(round(theirs.ms / own.ms), 4),
        timesSmaller: atLeast(round(mb / entry.bytes), 1),
        timesFasterCandidates: atLeast(round(median(theirMs) / median(ownMs)), 1),
      },
    };
  },
};

const literal = (text: string) =>
  ({ text, mode: 'literal', ignoreCase: false, multiline: false, wholeWord: false }) as const;

/** Fills an FTS5 table without positions and text; with them the index would be larger than the source. */
function fillFts5(database: DatabaseSync, texts: { text: string }[]): void {
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;');
  database.exec(
    "CREATE VIRTUAL TABLE code USING fts5(body, tokenize = 'trigram', detail = none, content = '')",
  );
  const insert = database.prepare('INSERT INTO code (rowid, body) VALUES (?, ?)');
  database.exec('BEGIN');
  texts.forEach(({ text }, at) => {
    insert.run(at + 1, text);
  });
  database.exec('COMMIT');
  database.exec("INSERT INTO code (code) VALUES ('optimize')");
}

function cpuOf<T>(work: () => T): { value: T; ms: number } {
  const before = process.cpuUsage();
  const value = work();
  const { user, system } = process.cpuUsage(before);
  return { value, ms: (user + system) / 1e3 };
}
