import type { WriterProvider } from '../../../src/domain/writer-choice.ts';
import type { Price } from '../../../src/spend/budget.ts';
import type { Caps } from '../../../src/wire/answers/project.ts';

/** Input of one process of the evaluation. */
export interface CallingProcessInput {
  home: string;
  backstory: string;
  project: string;
  provider: WriterProvider;
  url: string;
  /** Simulated time at which the process starts. */
  at: number;
  caps: Caps;
  price: Price;
  callMs: number;
  beginWithinMs: number;
}

/** Output of a process. One that was killed has none. */
export interface CallingProcessOutput {
  /** Why the process stopped making calls; empty if it completed. */
  refused: string;
  /** Time from the start of the process's calls to the start of its last one. */
  lastBegunMs: number;
  cpuMs: number;
}
