export interface Extent {
  /** Organisations at the first and the second measurement of the cost. */
  few: number;
  many: number;
  /** Memories of each organisation but one. */
  samples: number;
  /** The organisation that is isolated is this much larger. */
  largeCopies: number;
  /** Organisations that the cost is measured with. */
  asked: number;
  /** Duration of each round of load. */
  seconds: number;
  kills: number;
  /** From one kill to the next. */
  everySeconds: number;
  downSeconds: number;
}

/** In the first ones, so that it is there in both measurements. */
export const largeTenant = 7;
