const kept = 5_000;

/** A map that forgets its oldest entries: parents and calls are near, and a file of a gigabyte must not be held. */
export function recentEntries<V>(): Map<string, V> {
  const map = new Map<string, V>();
  const set = map.set.bind(map);
  map.set = (key, value) => {
    set(key, value);
    if (map.size > kept) map.delete(map.keys().next().value as string);
    return map;
  };
  return map;
}
