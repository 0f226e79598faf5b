import type { Config } from '../base/config.ts';
import type { Embedder, EmbedderSource } from '../models/embed.ts';

/**
 * The model the user chose, loaded or reached once and only when something has to be judged. Each provider is
 * loaded by itself, so that nobody pays for those they do not use.
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
  if (provider === 'ollama') {
    const { connectOllama } = await import('../models/ollama-embed.ts');
    return connectOllama({ model, ...(url === '' ? {} : { url }) });
  }
  if (provider === 'openai') {
    const { connectOpenAi } = await import('../models/openai-embed.ts');
    const where = url === '' ? 'https://api.openai.com/v1' : url;
    return connectOpenAi({ url: where, model, ...(key === undefined ? {} : { key }) });
  }
  return (await import('../models/static-embed.ts')).loadStaticModel(builtIn);
}
