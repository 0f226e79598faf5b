import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { atLeast, type Evaluation, type Outcome } from '../../test/harness/evaluation.ts';
import { createRandom } from '../../test/harness/random.ts';
import { readCommits } from '../context-pack/git-objects.ts';
import { HistoricCheckout, type Way, ways } from '../context-pack/historic-checkout.ts';
import { type Found, foundIn, intervalOf, meanOf } from '../context-pack/measures.ts';
import { gitDirOf } from '../context-pack/repositories.ts';
import { inThousandths } from '../retrieval/metrics.ts';

/** One task of SWE-bench Lite: an issue as reported, and the files that fixed it. */
interface Instance {
  instance_id: string;
  repo: string;
  base_commit: string;
  problem_statement: string;
  gold_files: string[];
  location_in_issue?: Record<string, unknown> | string;
}

const wayNames = Object.keys(ways) as Way[];
const shortInstances = 10;

export const sweLite: Evaluation = {
  name: 'swe-lite',
  summary: 'SWE-bench Lite: is the file to fix among the first five? Needs --data and --histories.',
  async run({ data, histories, isShort, allowSkip, seed }) {
    if ((data === undefined || histories === undefined) && allowSkip)
      return { n: 0, figures: { skipped: 'no --data and --histories' }, bars: {} };
    if (data === undefined || histories === undefined) throw new Error('give --data DIR and --histories DIR');
    const all = readInstances(data);
    const chosen = isShort ? all.filter(({ repo }) => repo === 'psf/requests').slice(0, shortInstances) : all;
    const found = Object.fromEntries(wayNames.map((way) => [way, [] as Found[]])) as Record<Way, Found[]>;
    const absent: string[] = [];
    for (const [repo, instances] of Map.groupBy(chosen, (instance) => instance.repo)) {
      const gitDir = gitDirOf(histories, repo);
      if (gitDir === undefined) absent.push(`${repo} (${instances.length})`);
      else await measure(gitDir, instances, found);
    }
    return summarise(found, absent, seed);
  },
};

function readInstances(data: string): Instance[] {
  return readFileSync(join(data, 'swe-bench-lite', 'swe_bench_lite_loc.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Instance);
}

async function measure(gitDir: string, instances: Instance[], found: Record<Way, Found[]>): Promise<void> {
  const commits = instances.flatMap(({ base_commit }) => base_commit);
  const checkout = new HistoricCheckout(gitDir, readCommits(gitDir, commits));
  for (const { repo, base_commit, problem_statement, gold_files } of instances) {
    const evidence = await checkout.evidenceFor(problem_statement, base_commit);
    const isClean = !gold_files.some((path) => problem_statement.includes(path));
    for (const way of wayNames)
      found[way].push(foundIn(ways[way](evidence), gold_files, { group: repo, isClean }));
  }
}

function summarise(found: Record<Way, Found[]>, absent: string[], seed: number): Outcome {
  const random = createRandom(seed);
  const figures: Outcome['figures'] = {};
  for (const way of wayNames)
    for (const measure of ['hit1', 'hit5', 'hit10', 'reciprocal'] as const)
      figures[`${way} ${measure}`] = inThousandths(meanOf(found[way], measure));
  const { ours } = found;
  figures['ours hit5 interval'] = intervalOf(ours, 'hit5', random);
  const clean = ours.filter(({ isClean }) => isClean);
  figures['ours hit5, path not in the issue'] = inThousandths(meanOf(clean, 'hit5'));
  figures['instances, path not in the issue'] = clean.length;
  for (const [repo, own] of Map.groupBy(ours, ({ group }) => group))
    figures[`${repo} (${own.length}) hit5`] = inThousandths(meanOf(own, 'hit5'));
  if (absent.length > 0) figures['not to be had'] = absent.join(', ');
  return { n: ours.length, figures, bars: { hit5: atLeast(inThousandths(meanOf(ours, 'hit5')), 0.84) } };
}
