import { atLeast, type Evaluation, median, type Outcome, round } from '../../test/harness/evaluation.ts';
import { createHome, type Home } from '../../test/harness/home.ts';
import { type McpClient, startMcp } from '../../test/harness/mcp-client.ts';
import { installPackage } from '../../test/harness/package.ts';
import { inThousandths, mean } from '../retrieval/metrics.ts';
import { ndcgAt10, type Place } from './ndcg.ts';
import { checkOut, type QuestionedRepository, readRepositories } from './question-set.ts';

const shortRepositories = 2;

/** Tools of the MCP server that could answer a question, each with the way to ask it. */
const ways = {
  literal: async (server: McpClient, query: string): Promise<Place[]> => {
    const { results } = await server.call('search_content', { query, mode: 'literal', force_refresh: true });
    return (results as Pathed[]).map(({ path }) => ({ path }));
  },
  ask: async (server: McpClient, query: string): Promise<Place[]> => {
    const { results } = await server.call('search_content', { query, mode: 'ask' });
    return (results as (Pathed & { start_line: number; end_line: number })[]).map(
      ({ path, start_line: from, end_line: to }) => ({ path, lines: { from, to } }),
    );
  },
  pack: async (server: McpClient, goal: string): Promise<Place[]> => {
    const { items } = await server.call('context_pack', { goal, max_files: 10, budget_tokens: 4_000 });
    return (items as Pathed[]).map(({ path }) => ({ path }));
  },
};
type Way = keyof typeof ways;
const wayNames = Object.keys(ways) as Way[];

interface Pathed {
  path: string;
}

interface Scored {
  way: Way;
  repository: string;
  isHeldOut: boolean;
  category: string;
  score: number;
  ms: number;
}

export const codeQuestions: Evaluation = {
  name: 'code-questions',
  summary: 'Questions about public repositories in plain words: NDCG@10. Needs --data and --histories.',
  async run({ data, histories, isShort, allowSkip }) {
    if ((data === undefined || histories === undefined) && allowSkip)
      return { n: 0, figures: { skipped: 'no --data and --histories' }, bars: {} };
    if (data === undefined || histories === undefined) throw new Error('give --data DIR and --histories DIR');
    const { found, missing } = readRepositories(data, histories);
    const installed = installPackage();
    const scored: Scored[] = [];
    for (const repository of isShort ? found.slice(0, shortRepositories) : found)
      scored.push(...(await measure(repository, createHome(installed))));
    return summarise(scored, missing, isShort);
  },
};

async function measure(repository: QuestionedRepository, home: Home): Promise<Scored[]> {
  const { name, isHeldOut, questions } = repository;
  const args = [home.program('main.js'), 'mcp', 'serve', '--repo', checkOut(repository), '--tools', 'all'];
  const server = await startMcp(args, { cwd: home.home, env: home.env });
  await server.call('reindex', { mode: 'full' });
  const scored: Scored[] = [];
  for (const { query, category, targets } of questions)
    for (const way of wayNames) {
      const started = performance.now();
      const places = await ways[way](server, query);
      const ms = performance.now() - started;
      scored.push({
        way,
        repository: name,
        isHeldOut,
        category,
        score: ndcgAt10(places, targets),
        ms,
      });
    }
  await server.close();
  return scored;
}

function summarise(scored: Scored[], missing: string[], isShort: boolean): Outcome {
  const figures: Outcome['figures'] = {};
  for (const way of wayNames) {
    const own = scored.filter((one) => one.way === way);
    figures[`${way} ndcg10`] = inThousandths(overRepositories(own));
    for (const isHeldOut of [false, true])
      figures[`${way} ndcg10, ${isHeldOut ? 'held out' : 'development'}`] = inThousandths(
        overRepositories(own.filter((one) => one.isHeldOut === isHeldOut)),
      );
    for (const [category, ofCategory] of Map.groupBy(own, (one) => one.category))
      figures[`${way} ndcg10, ${category} questions`] = inThousandths(meanScore(ofCategory));
  }
  const asked = scored.filter(({ way }) => way === 'ask');
  const medianMs = (way: Way): number => median(scored.filter((one) => one.way === way).map(({ ms }) => ms));
  figures['median time of ask, in times of pack'] = round(medianMs('ask') / medianMs('pack'));
  figures.repositories = new Set(asked.map(({ repository }) => repository)).size;
  if (missing.length > 0) figures['repositories not found'] = missing.join(', ');
  return {
    n: asked.length,
    figures,
    // A short run is too small to compare with the bars (limits for figures). It only shows that everything runs.
    bars: isShort
      ? { 'ask ndcg10': atLeast(figures['ask ndcg10'] as number, 0.75) }
      : {
          'ask ndcg10': atLeast(figures['ask ndcg10'] as number, 0.86),
          'ask ndcg10, held out': atLeast(figures['ask ndcg10, held out'] as number, 0.88),
        },
  };
}

const meanScore = (scored: Scored[]): number => mean(scored.map(({ score }) => score));

/** The mean over repositories, as in the published results: each counts the same, however many questions it has. */
const overRepositories = (scored: Scored[]): number =>
  mean([...Map.groupBy(scored, ({ repository }) => repository).values()].map(meanScore));
