/** What the page and its layout thread say to each other. Nodes are known by their place in the list. */
export interface LayoutWish {
  /** x and y of each node, one after the other. */
  places: Float32Array;
  /** Pairs of places, one after the other. */
  edges: Int32Array;
  maxMs: number;
}

export interface LayoutStep {
  places: Float32Array;
  isDone: boolean;
}
