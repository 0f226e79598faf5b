import type { Embedder, EmbedderSource } from '../models/embed.ts';

/** The embedding model, unless it is off. It is loaded once, when the first text has to be embedded. */
export const chooseEmbedder = (embed: 'built-in' | 'off', path: string): EmbedderSource | undefined =>
  embed === 'off' ? undefined : () => loadBuiltIn(path);

let loadedBuiltIn: Promise<Embedder> | undefined;

/** Loads the built-in model once for the whole process, because memory and code search both use it. */
export function loadBuiltIn(path: string): Promise<Embedder> {
  loadedBuiltIn ??= import('../models/static-embed.ts').then(({ loadStaticModel }) => loadStaticModel(path));
  return loadedBuiltIn;
}
