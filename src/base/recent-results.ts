/** What was worked out lately, so that it need not be worked out again. Never more than twice `most` of them. */
export interface RecentResults<Value> {
  get(key: string): Value | undefined;
  /** Made of a copy of the key, so that neither keeps alive the text that the key was cut from. */
  learn(key: string, make: (key: string) => Value): Value;
}

/** From here on V8 does not copy what is cut from a text, but points into it. */
const minSliceLength = 13;

const ownCopy = (key: string): string => {
  if (key.length < minSliceLength) return key;
  const copy = Buffer.from(key, 'latin1').toString('latin1');
  return copy === key ? copy : Buffer.from(key, 'utf16le').toString('utf16le');
};

/** Two generations: what has not been met for a while goes, and what is met all the time stays. */
export function createRecentResults<Value>(most: number): RecentResults<Value> {
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();
  const set = (key: string, value: Value): void => {
    if (young.size >= most) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
  };
  return {
    get(key) {
      const value = young.get(key);
      if (value !== undefined) return value;
      const before = old.get(key);
      if (before !== undefined) set(ownCopy(key), before);
      return before;
    },
    learn(key, make) {
      const own = ownCopy(key);
      const value = make(own);
      set(own, value);
      return value;
    },
  };
}
