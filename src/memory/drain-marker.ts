/** A marker older than this belongs to a drain that was killed. In its own file because the hook imports it too. */
export const markerFreshMs = 15_000;
