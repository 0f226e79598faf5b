export interface Tally {
  tried: number;
  /** Descriptions of failures, each with the input that caused it. */
  wrong: string[];
}
