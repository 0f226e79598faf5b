import type { Embedder } from '../models/embed.ts';

let loaded: Promise<Embedder> | undefined;

/** Loads the built-in model when the first text has to be embedded, once for all that use it in this process. */
export function loadBuiltIn(path: string): Promise<Embedder> {
  loaded ??= import('../models/static-embed.ts').then(({ loadStaticModel }) => loadStaticModel(path));
  return loaded;
}
