/** From this length on, V8 does not copy a slice of a string but points into the original. */
const minSliceLength = 13;

const ownCopy = (key: string): string => {
  if (key.length < minSliceLength) return key;
  const copy = Buffer.from(key, 'latin1').toString('latin1');
  return copy === key ? copy : Buffer.from(key, 'utf16le').toString('utf16le');
};

/**
 * A cache of recent results with at most twice `generationSize` entries. It keeps two generations: entries not used for
 * a while are dropped, and entries in use are kept.
 */
export function createRecentResults<Value>(generationSize: number) {
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();
  const set = (key: string, value: Value): void => {
    if (young.size >= generationSize) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
  };
  return {
    get(key: string) {
      const value = young.get(key);
      if (value !== undefined) return value;
      const before = old.get(key);
      if (before !== undefined) set(ownCopy(key), before);
      return before;
    },
    /** `make` gets a copy of the key, so that the text from which the key was sliced is not kept alive. */
    compute(key: string, make: (key: string) => Value) {
      const own = ownCopy(key);
      const value = make(own);
      set(own, value);
      return value;
    },
  };
}

export type RecentResults<Value> = ReturnType<typeof createRecentResults<Value>>;
