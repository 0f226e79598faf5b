export interface Tally {
  tried: number;
  /** Failures, each with the input that caused it. */
  wrong: string[];
}
