/** Messages between the page and the layout worker. Nodes are identified by their index. */
export interface LayoutRequest {
  /** x and y of each node, alternating. */
  places: Float32Array;
  /** Two node indices per edge. */
  edges: Int32Array;
  maxMs: number;
}

export interface LayoutStep {
  places: Float32Array;
  isDone: boolean;
}
