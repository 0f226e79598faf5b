/** What the page and its layout thread say to each other. Nodes are known by their place in the list. */
export interface LayoutWish {
  nodes: number;
  /** Pairs of places, one after the other. */
  edges: Int32Array;
  maxMs: number;
}

export interface LayoutStep {
  /** x and y of each node, one after the other. */
  positions: Float32Array;
  isDone: boolean;
}

/** A sunflower: even, the same every time, and nothing lies on anything else. */
export function firstPlace(at: number): { x: number; y: number } {
  const angle = at * Math.PI * (3 - Math.sqrt(5));
  const away = Math.sqrt(at + 1) * 10;
  return { x: Math.cos(angle) * away, y: Math.sin(angle) * away };
}
