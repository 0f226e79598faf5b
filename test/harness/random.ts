/** A seeded random generator: the same seed gives the same run. */
export interface Random {
  /** At least 0 and less than 1. */
  next(): number;
  /** An integer between `low` and `high`, inclusive. */
  whole(low: number, high: number): number;
  pick<T>(list: readonly T[]): T;
  /** True with this probability. */
  chance(share: number): boolean;
  shuffled<T>(list: readonly T[]): T[];
  /** Distributed evenly over orders of magnitude, so that small sizes are as frequent as large ones. */
  size(low: number, high: number): number;
}

/** The mulberry32 generator, which is good enough for choosing moments and bytes. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const whole = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    whole,
    pick: (list) => list[whole(0, list.length - 1)] as (typeof list)[number],
    chance: (share) => next() < share,
    size: (low, high) => Math.round(low * (high / low) ** next()),
    shuffled(list) {
      const mixed = [...list];
      for (let at = mixed.length - 1; at > 0; at--) {
        const other = whole(0, at);
        [mixed[at], mixed[other]] = [
          mixed[other] as (typeof mixed)[number],
          mixed[at] as (typeof mixed)[number],
        ];
      }
      return mixed;
    },
  };
}
