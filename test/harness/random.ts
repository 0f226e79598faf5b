/** Chance that can be repeated: the same seed gives the same run. */
export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** A whole number, both ends included. */
  whole(low: number, high: number): number;
  pick<T>(list: readonly T[]): T;
  /** True in this share of the cases. */
  chance(share: number): boolean;
  shuffled<T>(list: readonly T[]): T[];
  /** Spread evenly over orders of magnitude, so that small sizes are as usual as large ones. */
  size(low: number, high: number): number;
}

/** The generator mulberry32: small, and good enough to choose moments and bytes. */
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
