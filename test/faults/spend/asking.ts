import type { WriterProvider } from '../../../src/domain/writer-choice.ts';
import type { Caps, Price } from '../../../src/spend/budget.ts';

/** What one process of the evaluation is told. */
export interface Asking {
  home: string;
  backstory: string;
  project: string;
  provider: WriterProvider;
  url: string;
  /** What its clock shows when it starts. */
  at: number;
  caps: Caps;
  price: Price;
  callMs: number;
  beginWithinMs: number;
}

/** What it tells when it ends; one that was killed tells nothing. */
export interface Told {
  /** Empty when it went on to the end. */
  refused: string;
  /** From when it began to ask to its last call. */
  lastBegunMs: number;
  cpuMs: number;
}
