/**
 * Personalised PageRank on typed arrays: how often a walk that starts at the seeds, follows edges by their
 * weight and every now and then returns to a seed, is found at each node. A fixed number of rounds over a fixed
 * number of edges, so its time is known beforehand; equal input gives equal output.
 */
export interface Edges {
  /** Node → first of its edges; one entry more than nodes. */
  first: Uint32Array;
  to: Uint32Array;
  weight: Float32Array;
}

/** Both ways, in the order given. */
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
  const put = (from: number, other: number, by: number) => {
    const at = next[from] as number;
    next[from] = at + 1;
    to[at] = other;
    weight[at] = by;
  };
  for (const [a, b, by] of pairs) {
    put(a, b, by);
    put(b, a, by);
  }
  return { first, to, weight };
}

/** The share of walkers that return to a seed in each round. */
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
      const held = (rank[node] as number) * (1 - restartShare);
      if (held === 0) continue;
      if (out === 0) {
        // Nowhere to go: back to where walks begin.
        for (let seed = 0; seed < nodes; seed++)
          next[seed] = (next[seed] as number) + held * (start[seed] as number);
        continue;
      }
      for (let at = first[node] as number; at < (first[node + 1] as number); at++) {
        const other = to[at] as number;
        next[other] = (next[other] as number) + (held * (weight[at] as number)) / out;
      }
    }
    rank = next;
  }
  return rank;
}
