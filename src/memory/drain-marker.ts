/**
 * A drain (the background run that indexes new events) refreshes a marker file while it runs. If the marker is older
 * than this, the drain was killed. The constant has its own file because the hook, which must load fast, imports it
 * too.
 */
export const markerFreshMs = 15_000;
