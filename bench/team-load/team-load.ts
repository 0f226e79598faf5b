import type { Embedder } from '../../src/models/embed.ts';
import { loadStaticModel } from '../../src/models/static-embed.ts';
import { parseQuestion } from '../../src/recall/question.ts';
import { rankingWeights } from '../../src/recall/weights.ts';
import { graphWeight, minNearness, poolOf } from '../../src/team/memories/search.ts';
import { foundColumns, searchValues } from '../../src/team/postgres/search-memories.ts';
import {
  atLeast,
  atMost,
  type Evaluation,
  exactly,
  median,
  type Outcome,
  round,
} from '../../test/harness/evaluation.ts';
import { installPackage } from '../../test/harness/package.ts';
import { createRandom, type Random } from '../../test/harness/random.ts';
import {
  type TeamDatabase,
  withKeptTeamDatabase,
  withTeamDatabase,
} from '../../test/harness/team/database.ts';
import { type ServedTeam, serveTeam } from '../../test/harness/team/serve.ts';
import { watchCpu } from './cpu.ts';
import { type FilledProject, type FilledTeam, filledName, fillTeam, type TeamSize } from './fill.ts';
import { getRequest, type Loaded, loadHttp } from './http-load.ts';
import { measureIngest } from './ingest.ts';
import { runPgbench } from './pgbench.ts';
import { measureRecall } from './recall.ts';

const connections = 20;
const limit = 10;

/**
 * Compares the throughput of the team server with that of pgbench for the same statement, its search results with exact
 * ones, and its ingest with plain inserts.
 */
export const teamLoad: Evaluation = {
  name: 'team-load',
  summary:
    'Memories of many projects: search compared with pgbench, nearest with exact, ingest with inserts.',
  file: import.meta.filename,
  measures: [
    'src/team',
    'sql',
    'src/models/static-embed.ts',
    'src/recall/weights.ts',
    'src/recall/question.ts',
  ],
  async run({ isShort, seed }) {
    const embedder = await loadStaticModel('assets/static-en.bin');
    if (isShort) return withTeamDatabase('load', (team) => measure(team, embedder, short, seed));
    // Filling takes longer than measuring, so the filled database is kept for the next run.
    return withKeptTeamDatabase(filledName(full.size, embedder), (team) =>
      measure(team, embedder, full, seed),
    );
  },
};

interface Extent {
  size: TeamSize;
  /** Number of memories from which a project counts as large. */
  large: number;
  /** Number of projects that are queried. */
  sampled: number;
  /** Duration of each of three rounds of load. */
  seconds: number;
  /** Memories per round of ingest. */
  ingested: number;
}

const full: Extent = {
  size: { memories: 1_000_000, projects: 1_000 },
  large: 10_000,
  sampled: 120,
  seconds: 20,
  ingested: 10_000,
};
const short: Extent = {
  size: { memories: 6_000, projects: 60 },
  large: 500,
  sampled: 15,
  seconds: 2,
  ingested: 2_000,
};

async function measure(
  team: TeamDatabase,
  embedder: Embedder,
  extent: Extent,
  seed: number,
): Promise<Outcome> {
  const random = createRandom(seed);
  const installed = installPackage();
  const store = team.openStore(4);
  const began = performance.now();
  const filled = await fillTeam(team, store, embedder, extent.size);
  const fillSeconds = (performance.now() - began) / 1_000;
  const before = await scansOf(team);
  const sampled = sampleOf(filled.projects, extent.sampled, random);
  const [large, small] = [
    await measureRecall(
      team,
      store,
      embedder,
      filled,
      sampled.filter(({ size }) => size >= extent.large),
    ),
    await measureRecall(
      team,
      store,
      embedder,
      filled,
      sampled.filter(({ size }) => size < extent.large),
    ),
  ];
  const questions = sampled.flatMap(({ id, questions: own }) => own.map((text) => ({ id, text })));
  await keepQuestions(team, filled, embedder, questions);
  const server = await serveTeam(
    installed,
    team.url,
    ...['--connections', String(connections), '--rate', '999999'],
  );
  const load = await compareLoad(team, filled, questions, server, extent.seconds);
  const ingest = await measureIngest(team, embedder, filled, server, extent.ingested, random);
  await server.close();
  const after = await scansOf(team);
  const [bytes] = await team.owner.query<{ mb: number }>(
    `select round(sum(pg_total_relation_size(oid)) / 1e6)::float8 as mb from pg_class
     where relnamespace = 'backstory'::regnamespace and relkind = 'r'`,
  );
  return {
    n: load.requests,
    figures: {
      memories: filled.memories,
      projects: filled.projects.length,
      'largest project': filled.projects[0]?.size ?? 0,
      'database MB': bytes?.mb ?? 0,
      'kB per memory': round(((bytes?.mb ?? 0) * 1_000) / filled.memories),
      ...(filled.added === 0 ? {} : { 'filled per second': round(filled.added / fillSeconds) }),
      'searches per second, ours': round(load.ours.perSecond),
      'searches per second, pgbench': round(load.bare.perSecond),
      'p50 ms, ours': round(load.ours.p50Ms),
      'p50 ms, pgbench': round(load.bare.p50Ms),
      'p99 ms, ours': round(load.ours.p99Ms),
      'p99 ms, pgbench': round(load.bare.p99Ms),
      'CPU ms per search, server': round(load.serverMs),
      'CPU ms per search, Postgres': round(load.postgresMs),
      'throughput by CPU alone': round(load.postgresMs / (load.postgresMs + load.serverMs)),
      'questions compared with exact': large.asked + small.asked,
      'ingested per second, ours': round(ingest.ours.perSecond),
      'ingested per second, inserts': round(ingest.bare.perSecond),
      'CPU ms per memory, server': thousandths(ingest.ours.serverMs),
      'CPU ms per memory, Postgres': thousandths(ingest.ours.postgresMs),
      'CPU ms per memory, inserts': thousandths(ingest.bare.postgresMs),
      'ingest by CPU alone': round(ingest.bare.postgresMs / (ingest.ours.postgresMs + ingest.ours.serverMs)),
    },
    bars: {
      'throughput against pgbench': atLeast(round(load.throughput), 0.7),
      'p99 against pgbench': atMost(round(load.p99), 1.5),
      'recall@10, large projects': atLeast(thousandths(large.recall), 0.99),
      'recall@10, small projects': atLeast(thousandths(small.recall), 0.99),
      // Required only for the full size: in a database of a few thousand rows, Postgres may correctly read the table
      // instead of the index.
      ...(extent === full
        ? {
            'answered by the index that is swept': atLeast(after - before, large.asked + small.asked),
          }
        : {}),
      'empty answers': exactly(large.empty + small.empty + load.empty, 0),
      'failed requests': exactly(load.failed, 0),
      'ingest against inserts': atLeast(round(ingest.ratio), 0.6),
    },
  };
}

/** How often the planner used the index that covers the scan of all vectors. */
async function scansOf({ owner }: TeamDatabase): Promise<number> {
  const [row] = await owner.query<{ scans: number }>(
    `select coalesce(sum(idx_scan), 0)::int as scans from pg_stat_user_indexes
     where starts_with(indexrelname, 'vector_sweep')`,
  );
  return row?.scans ?? 0;
}

const thousandths = (value: number): number => Math.round(value * 1_000) / 1_000;

/** The largest, the smallest and some in between. */
function sampleOf(projects: FilledProject[], count: number, random: Random): FilledProject[] {
  const ends = [...projects.slice(0, 3), ...projects.slice(-3)];
  const rest = random.shuffled(projects.filter((one) => !ends.includes(one)));
  return [...ends, ...rest.slice(0, Math.max(0, count - ends.length))];
}

/** Stores the questions in a table, so that pgbench can select them by number. */
async function keepQuestions(
  { owner }: TeamDatabase,
  { person }: FilledTeam,
  embedder: Embedder,
  questions: { id: string; text: string }[],
): Promise<void> {
  await owner.query('drop table if exists public.asked');
  await owner.query(
    `create table public.asked (n integer primary key, token bytea, project uuid, terms text[], model text,
       question halfvec, targets text[], sources text[], most integer, tuning float8[])`,
  );
  await owner.query('grant select on public.asked to backstory_app');
  for (const [at, { id, text }] of questions.entries()) {
    const question = parseQuestion(text);
    const { terms } = question;
    const [vector] = await embedder.embed([text]);
    const values = searchValues(person.hash, id, {
      terms,
      meaning: vector === undefined ? undefined : { model: embedder.id, vector },
      targets: [],
      limit: poolOf(limit),
      weights: {
        meaning: rankingWeights.meaning,
        contrast: rankingWeights.contrast,
        minNearness,
        graph: graphWeight,
      },
    });
    await owner.query('insert into public.asked values ($10, $1, $2, $3, $4, $5::vector, $6, $7, $8, $9)', [
      ...values,
      at + 1,
    ]);
  }
  await owner.query('analyze public.asked');
}

/** Measures the server and pgbench in turn, so that other load affects both. */
async function compareLoad(
  { url }: TeamDatabase,
  { person }: FilledTeam,
  questions: { id: string; text: string }[],
  server: ServedTeam,
  seconds: number,
): Promise<{
  ours: Loaded;
  bare: Awaited<ReturnType<typeof runPgbench>>;
  serverMs: number;
  postgresMs: number;
  throughput: number;
  p99: number;
  requests: number;
  failed: number;
  empty: number;
}> {
  const script = `\\set n random(1, ${questions.length})
select ${foundColumns} from public.asked q cross join lateral backstory.search(q.token, q.project, q.terms, q.model, q.question,
  q.targets, q.sources, q.most, q.tuning) s where q.n = :n;\n`;
  const requests = questions.map(({ id, text }) =>
    getRequest(
      `/api/projects/${id}/memory/search?limit=${limit}&q=${encodeURIComponent(text)}`,
      person.token,
    ),
  );
  const options = { connections, seconds };
  // Warms up the server: its code is compiled, and its connections are open with the statement prepared.
  await loadHttp(server.url, requests, { connections, seconds: Math.max(1, seconds / 4) });
  await runPgbench(url, script, { connections, seconds: 1 });
  const rounds = [];
  for (let round = 0; round < 3; round++) {
    const bare = await runPgbench(url, script, options);
    const cpu = watchCpu(server.pid, url);
    const ours = await loadHttp(server.url, requests, options);
    rounds.push({
      bare,
      ours,
      serverMs: cpu.serverMs() / ours.requests,
      postgresMs: cpu.postgresMs() / ours.requests,
    });
  }
  const middle = rounds.toSorted(
    (a, b) => a.ours.perSecond / a.bare.perSecond - b.ours.perSecond / b.bare.perSecond,
  )[1] as (typeof rounds)[number];
  return {
    ...middle,
    serverMs: median(rounds.map(({ serverMs }) => serverMs)),
    postgresMs: median(rounds.map(({ postgresMs }) => postgresMs)),
    throughput: median(rounds.map(({ ours, bare }) => ours.perSecond / bare.perSecond)),
    p99: median(rounds.map(({ ours, bare }) => ours.p99Ms / bare.p99Ms)),
    requests: rounds.reduce((sum, { ours }) => sum + ours.requests, 0),
    failed: rounds.reduce((sum, { ours }) => sum + ours.failed, 0),
    empty: rounds.reduce((sum, { ours }) => sum + ours.empty, 0),
  };
}
