const maxEntries = 5_000;

/** A map that drops its oldest entries, to bound memory on huge transcripts. Lookups refer to recent records only. */
export function recentEntries<V>(): Map<string, V> {
  const map = new Map<string, V>();
  const set = map.set.bind(map);
  map.set = (key, value) => {
    set(key, value);
    if (map.size > maxEntries) map.delete(map.keys().next().value as string);
    return map;
  };
  return map;
}
