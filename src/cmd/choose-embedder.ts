import type { Config } from '../base/config.ts';
import type { Embedder, EmbedderSource } from '../models/embed.ts';

/**
 * The configured embedding model. It is loaded or connected once, when the first text has to be embedded. Each
 * provider is a separate import, so that unused ones cost nothing.
 */
export function chooseEmbedder(
  { embed, embedUrl }: Pick<Config, 'embed' | 'embedUrl'>,
  builtIn: string,
  key: string | undefined,
): EmbedderSource | undefined {
  if (embed === 'off') return undefined;
  let loaded: Promise<Embedder> | undefined;
  return () => {
    loaded ??= connect(embed, embedUrl, builtIn, key);
    return loaded;
  };
}

async function connect(
  embed: string,
  url: string,
  builtIn: string,
  key: string | undefined,
): Promise<Embedder> {
  const [provider, ...rest] = embed.split(':');
  const model = rest.join(':');
  if (provider !== 'ollama' && provider !== 'openai') return loadBuiltIn(builtIn);
  const { connectOllama, connectOpenAi } = await import('../models/http-embed.ts');
  const server = { model, ...(url === '' ? {} : { url }) };
  return provider === 'ollama'
    ? connectOllama(server)
    : connectOpenAi({ ...server, ...(key === undefined ? {} : { key }) });
}

let loadedBuiltIn: Promise<Embedder> | undefined;

/** Loads the built-in model once for the whole process, because memory and code search both use it. */
export function loadBuiltIn(path: string): Promise<Embedder> {
  loadedBuiltIn ??= import('../models/static-embed.ts').then(({ loadStaticModel }) => loadStaticModel(path));
  return loadedBuiltIn;
}
