/** A marker older than this belongs to a drain that was killed. Alone in a file because the hook reads it too. */
export const markerFreshMs = 15_000;
