export interface Tally {
  tried: number;
  /** What should not have happened, each with what was sent. */
  wrong: string[];
}
