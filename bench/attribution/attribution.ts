import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateAuthorshipNote } from '../../scripts/validate-authorship.ts';
import { attributeCommits } from '../../src/attribution/attribute-commits.ts';
import {
  type AuthorshipLog,
  keysOfLine,
  parseAuthorshipLog,
  recordOf,
} from '../../src/git/authorship-log.ts';
import { blame } from '../../src/git/blame.ts';
import { writeNotes } from '../../src/git/notes.ts';
import { onEnd, temporaryFolder } from '../../test/harness/cleanup.ts';
import { atLeast, atMost, type Evaluation, round, showProgress } from '../../test/harness/evaluation.ts';
import { createRandom } from '../../test/harness/random.ts';
import { commitAll, gitAt, put } from '../../test/support/agent-edits.ts';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import { git } from '../../test/support/sandbox.ts';
import { createDonors, trackedSources } from '../why/donors.ts';
import { checkOutHistories, checkOutOwnSources } from '../why/repositories.ts';
import { createScript } from '../why/scripted-history.ts';
import type { Shadow } from '../why/shadow.ts';

/** Lines put before those of some files by a commit that a rewritten history starts from. */
const headLines = 3;
const manifest = [
  { name: 'honojs/hono', head: '28a9c128912de19f3fb28b00ae289c9b93f6f392' },
  { name: 'fastify/fastify', head: '83e69762aff047940b376fc2a266d143499ef727' },
];

/**
 * Writes notes for a scripted history over real files, then for what git makes of its commits, and asks `git blame` and
 * the notes for the writer of each line: with the memory that recorded the edits, and with an empty one, which has only
 * the notes of the old commits.
 */
export const attribution: Evaluation = {
  name: 'attribution',
  summary: 'git notes name the writers of lines, also after squash, rebase, cherry-pick and amend',
  file: import.meta.filename,
  measures: [
    'src/attribution',
    'src/git',
    'src/why',
    'src/cli/attribution.ts',
    'src/memory/capture/commits.ts',
    'src/memory/capture/follow-repository.ts',
  ],
  async run({ isShort, seed, histories }) {
    const folder = temporaryFolder('attribution');
    const works =
      histories === undefined ? checkOutOwnSources(folder) : checkOutHistories(histories, folder, manifest);
    const work = works[0] as string;
    const [memory, teammate] = [createMemoryHome(), createMemoryHome()];
    for (const home of [memory, teammate]) {
      onEnd(home.remove);
      home.work = work;
    }
    const random = createRandom(seed);
    const text = (path: string) => readFileSync(join(work, path), 'utf8');
    const isSuitable = (path: string) => /^[^\r]*\n$/.test(text(path)) && text(path).length < 80_000;
    const files = random.shuffled(trackedSources(work).filter(isSuitable)).slice(0, 16);
    const donors = createDonors(works.slice(1), random);
    const run = (...args: string[]): string => git(work, ...args).trim();
    const base = run('rev-parse', 'HEAD');
    const { shadow, step } = createScript(memory, files, donors, random);
    const wanted = isShort ? 30 : 200;
    for (let count = 0; count < wanted; count = Number(run('rev-list', '--count', `${base}..HEAD`))) {
      step();
      showProgress(count, wanted);
    }
    const head = run('rev-parse', 'HEAD');
    // Files whose first lines nobody changed can get lines before them without a conflict, also if they were renamed.
    const top = (all: string) => all.split('\n', 8).join('\n');
    const tops = new Map(files.map((path) => [top(git(work, 'show', `${base}:${path}`)), path]));
    const originalOf = (path: string) => tops.get(top(shadow.text(path)));
    const shifted = new Set([...shadow.files.keys()].filter(originalOf));
    run('checkout', '-q', base);
    for (const path of [...shifted].flatMap((each) => originalOf(each) ?? []))
      put(memory, path, '// A head.\n'.repeat(headLines) + text(path));
    const onto = commitAll(memory, 'Meanwhile');
    run('checkout', '-q', head);
    const all = run('rev-list', '--reverse', `${base}..${head}`).split('\n');
    const pick = (from: string, range: string) =>
      run('checkout', '-q', '-B', 'side', from) + run('cherry-pick', '--allow-empty', range);
    // What a forge does with a branch of ten commits, after the last of them.
    const squash = (last: string, tip: string, at: number) => {
      pick(last, `${tips[at - 1] ?? base}..${tip}`);
      run('checkout', '-q', last);
      run('merge', '-q', '--squash', 'side');
      const time = Number(run('log', '-1', '--format=%ct000', tip));
      gitAt(time, work, 'commit', '-q', '--allow-empty', '-m', 'Squash');
      return run('rev-parse', 'HEAD');
    };
    const tips = all.filter((hash, at) => at % 10 === 9 || hash === head);
    const amend = 'git commit -q --amend --allow-empty -m Amended';
    const rewrites: [name: string, from: string, rewrite: () => string][] = [
      ['rebased', onto, () => run('rebase', '-q', '--onto', onto, base, head)],
      ['cherry-picked', onto, () => pick(onto, `${base}..${head}`)],
      ['squash-merged', onto, () => tips.reduce(squash, onto)],
      ['amended', base, () => run('rebase', '-q', '-f', '--exec', amend, base, head)],
    ];
    const figures: Record<string, number> = {};
    let [lines, invalid, notes] = [0, 0, 0];
    const measure = async (name: string, home: MemoryHome, from: string, isWritten: boolean) => {
      const range = { name, base: from, head: run('rev-parse', 'HEAD') };
      const found = await attributeCommits({ parts: home.open(), root: work }, range);
      const noted = found.filter(({ note }) => note !== '');
      const texts = new Map(noted.map(({ commit, note }) => [commit.hash, note]));
      for (const [commit, note] of texts) invalid += Math.sign(validateAuthorshipNote(note, commit).length);
      notes += texts.size;
      if (isWritten) await writeNotes(work, texts, { message: name, now: memory.clock.now() });
      const judged = await judge(work, shadow, texts, from === base ? new Set() : shifted);
      lines += judged.agents + judged.people;
      figures[`${name}: right %`] = percent(judged.right, judged.agents);
      figures[`${name}: false %`] = percent(judged.false, judged.people + judged.agents);
    };
    await measure('as written', memory, base, true);
    for (const [name, from, rewrite] of rewrites) {
      rewrite();
      await measure(name, memory, from, false);
      await measure(`${name}, by a teammate`, teammate, from, false);
    }
    const of = (word: string) =>
      Object.entries(figures).flatMap(([name, value]) => (name.endsWith(word) ? [value] : []));
    return {
      n: lines,
      figures: { ...figures, commits: wanted, 'files that were shifted': shifted.size, 'notes made': notes },
      bars: {
        'right %, lowest': atLeast(Math.min(...of('right %')), 95),
        'false %, highest': atMost(Math.max(...of('false %')), 1),
        'invalid notes': atMost(invalid, 0),
      },
    };
  },
};

const percent = (part: number, whole: number): number => round((100 * part) / Math.max(1, whole));

/** Asks blame and the notes for each scripted line that is not blank. */
async function judge(work: string, shadow: Shadow, notes: Map<string, string>, shifted: Set<string>) {
  const logs = new Map([...notes].map(([hash, text]) => [hash, parseAuthorshipLog(text) as AuthorshipLog]));
  const sum = { agents: 0, people: 0, right: 0, false: 0 };
  for (const [path, truth] of shadow.files) {
    const blamed = await blame(work, path);
    if (blamed.kind !== 'lines') throw new Error(`${path}: ${blamed.message}`);
    for (const { line, text, commit, path: at, originalLine } of blamed.lines) {
      const known = truth[line - 1 - (shifted.has(path) ? headLines : 0)];
      if (known?.commit === undefined || text.trim() === '') continue;
      if (known.text.trim() !== text.trim()) throw new Error(`the script lost track of ${path}:${line}`);
      const log = logs.get(commit);
      const ids = log
        ? keysOfLine(log, at, originalLine).map((key) => JSON.stringify(recordOf(log, key)))
        : [];
      sum[known.writer === undefined ? 'people' : 'agents']++;
      if (ids.length === 1 && ids[0]?.includes(`"id":"${known.writer}"`)) sum.right++;
      else if (ids.length > 0) sum.false++;
    }
  }
  return sum;
}
