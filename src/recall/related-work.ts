import type { Chunk } from '../domain/chunk.ts';
import { turnsOfCommits } from './commits.ts';
import { edgesOf, pageRank, restartShare } from './page-rank.ts';
import type { Ranked } from './rank.ts';

/** Work that belongs to the best hits but shares no word with the question. */
export interface RelatedWork {
  chunks: Chunk[];
  /** Strength of the relation of each turn to the best hits, from 0 to 1. */
  turns: Map<string, number>;
  /** The turn in which a commit was made, by source id of the commit. */
  madeIn: Map<string, string>;
}

const maxSeeds = 5;
const hourMs = 3_600_000;
const spanMs = 3 * hourMs;
/** Maximum number of chunks fetched around each hit. A few hours of busy work have a few hundred. */
const maxNear = 120;
const minTie = 0.02;

/**
 * Turns and the files they touched form a graph. A test that fails in one turn may be fixed in the next, by another
 * agent, and only the common file shows that. A random walk from the best hits over the files of the hours around them
 * finds such turns. The graph is built for each query from the index, so it is never stale.
 */
export async function relatedWork(
  best: Ranked[],
  list: (span: { since: number; until: number }, limit: number) => Promise<Chunk[]>,
): Promise<RelatedWork> {
  const seeds = new Map<string, Ranked>();
  for (const one of best) {
    const work = workOf(one.chunk);
    if (work !== '' && !seeds.has(work)) seeds.set(work, one);
    if (seeds.size === maxSeeds) break;
  }
  const near = new Map<string, Chunk>();
  for (const { chunk } of seeds.values()) {
    const around = await list({ since: chunk.at - spanMs, until: chunk.at + spanMs }, maxNear);
    for (const other of around) if (workOf(other) !== '') near.set(other.id, other);
  }
  const madeIn = turnsOfCommits(near.values());
  const turnOf = (chunk: Chunk): string => madeIn.get(chunk.sourceId) ?? workOf(chunk);
  const started = new Map<string, number>();
  for (const { chunk, score } of seeds.values()) {
    const turn = turnOf(chunk);
    if (!started.has(turn)) started.set(turn, score);
  }
  const turns = tiesOf([...near.values()], turnOf, started);
  return {
    turns,
    madeIn,
    chunks: [...near.values()].filter(
      (chunk) => started.has(turnOf(chunk)) || (turns.get(turnOf(chunk)) ?? 0) > minTie,
    ),
  };
}

const workOf = ({ turn, kind, sourceId }: Chunk): string => turn || (kind === 'commit' ? sourceId : '');

function tiesOf(
  chunks: Chunk[],
  turnOf: (chunk: Chunk) => string,
  seeds: Map<string, number>,
): Map<string, number> {
  const turnsOf = new Map<string, Set<string>>();
  for (const chunk of chunks) {
    for (const path of chunk.paths) turnsOf.set(path, (turnsOf.get(path) ?? new Set()).add(turnOf(chunk)));
  }
  const nodes = new Map<string, number>();
  const node = (key: string): number => {
    const known = nodes.get(key) ?? nodes.size;
    nodes.set(key, known);
    return known;
  };
  const pairs: [number, number, number][] = [];
  for (const [path, turns] of turnsOf) {
    if (turns.size < 2) continue;
    // Each link gets a lower weight the more turns touched the file: a file that every turn touches is weak evidence
    // of a relation.
    for (const turn of turns) pairs.push([node(`turn ${turn}`), node(`file ${path}`), 1 / turns.size]);
  }
  const start = new Float32Array(nodes.size);
  for (const [turn, score] of seeds) {
    const at = nodes.get(`turn ${turn}`);
    if (at !== undefined) start[at] = score;
  }
  const total = start.reduce((sum, value) => sum + value, 0);
  const found = pageRank(edgesOf(nodes.size, pairs), start);
  const top = Math.max(...found, Number.MIN_VALUE);
  // Part of the probability of a best hit comes only from the fact that the random walks start there. It is
  // subtracted, so that what remains measures the relation to other hits.
  const own = restartShare + (1 - restartShare) ** 2 / 2;
  return new Map(
    [...nodes].flatMap(([key, at]) => {
      const tie =
        ((found[at] as number) - ((start[at] as number) / Math.max(total, Number.MIN_VALUE)) * own) / top;
      return key.startsWith('turn ') && tie > 0 ? [[key.slice('turn '.length), tie] as const] : [];
    }),
  );
}
