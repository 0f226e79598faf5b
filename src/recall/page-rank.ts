/**
 * Personalised PageRank on typed arrays: the probability that a random walk, which starts at the seeds, follows edges
 * by weight and sometimes restarts at a seed, is at each node. It runs a fixed number of rounds, so its time is
 * bounded, and it is deterministic.
 */
export interface Edges {
  /** Index of the first edge of each node, with one extra entry at the end. */
  first: Uint32Array;
  to: Uint32Array;
  weight: Float32Array;
}

/** Builds undirected edges, in the given order. */
export function edgesOf(
  nodes: number,
  pairs: readonly (readonly [a: number, b: number, weight: number])[],
): Edges {
  const first = new Uint32Array(nodes + 1);
  for (const [a, b] of pairs) {
    first[a + 1] = (first[a + 1] as number) + 1;
    first[b + 1] = (first[b + 1] as number) + 1;
  }
  for (let node = 0; node < nodes; node++)
    first[node + 1] = (first[node + 1] as number) + (first[node] as number);
  const to = new Uint32Array(pairs.length * 2);
  const weight = new Float32Array(pairs.length * 2);
  const next = first.slice(0, nodes);
  const addEdge = (from: number, other: number, edgeWeight: number) => {
    const at = next[from] as number;
    next[from] = at + 1;
    to[at] = other;
    weight[at] = edgeWeight;
  };
  for (const [a, b, edgeWeight] of pairs) {
    addEdge(a, b, edgeWeight);
    addEdge(b, a, edgeWeight);
  }
  return { first, to, weight };
}

/** Probability of restarting at a seed in each round. */
export const restartShare = 0.5;
const rounds = 8;

export function pageRank({ first, to, weight }: Edges, seeds: Float32Array): Float32Array {
  const nodes = seeds.length;
  const total = seeds.reduce((sum, seed) => sum + seed, 0);
  if (total === 0) return new Float32Array(nodes);
  const start = seeds.map((seed) => seed / total);
  const outgoing = new Float32Array(nodes);
  for (let node = 0; node < nodes; node++) {
    for (let at = first[node] as number; at < (first[node + 1] as number); at++)
      outgoing[node] = (outgoing[node] as number) + (weight[at] as number);
  }
  let rank = start.slice();
  for (let round = 0; round < rounds; round++) {
    const next = start.map((seed) => seed * restartShare);
    for (let node = 0; node < nodes; node++) {
      const out = outgoing[node] as number;
      const moving = (rank[node] as number) * (1 - restartShare);
      if (moving === 0) continue;
      if (out === 0) {
        // A node without edges: the walk restarts at the seeds.
        for (let seed = 0; seed < nodes; seed++)
          next[seed] = (next[seed] as number) + moving * (start[seed] as number);
        continue;
      }
      for (let at = first[node] as number; at < (first[node + 1] as number); at++) {
        const other = to[at] as number;
        next[other] = (next[other] as number) + (moving * (weight[at] as number)) / out;
      }
    }
    rank = next;
  }
  return rank;
}
