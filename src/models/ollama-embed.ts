import { AppError } from '../base/errors.ts';
import { askJson, type Endpoint } from './ask-json.ts';
import { checkVectors, type Embedder, inBatches } from './embed.ts';

export interface OllamaOptions {
  /** Name of the model, such as `nomic-embed-text`. */
  model: string;
  url?: string;
  timeoutMs?: number;
  batchSize?: number;
}

/** A model in the user's own Ollama. Sends one request at the start to learn the dimensions. */
export async function connectOllama({
  model,
  url = 'http://127.0.0.1:11434',
  timeoutMs = 30_000,
  batchSize = 32,
}: OllamaOptions): Promise<Embedder> {
  const base = url.replace(/\/+$/, '');
  const pull = `ollama pull ${model}`;
  const endpoint = (path: string): Endpoint => ({
    name: 'Ollama',
    url: base + path,
    timeoutMs,
    hint: 'ollama serve',
    hints: { 404: pull },
  });
  const version = await versionOf(model, endpoint('/api/tags'), pull);
  const request = async (batch: string[], dims?: number): Promise<Float32Array[]> => {
    // `truncate`: the server shortens texts that exceed the model's context.
    const answer = await askJson(endpoint('/api/embed'), { model, input: batch, truncate: true });
    return checkVectors((answer as { embeddings?: unknown }).embeddings, {
      count: batch.length,
      from: `Ollama (${model})`,
      hint: pull,
      ...(dims === undefined ? {} : { dims }),
    });
  };
  const [probe] = await request(['dimensions']);
  if (probe === undefined)
    throw new AppError('BACKEND_FAILURE', `${model} returned no vectors`, { hint: pull });
  const dims = probe.length;
  return {
    id: `ollama/${model}/${version}/${dims}`,
    dims,
    embed: (texts) => inBatches(texts, batchSize, (batch) => request(batch, dims)),
  };
}

/** Part of the model's digest. A name may refer to other weights after the next pull; the digest does not. */
async function versionOf(model: string, tags: Endpoint, pull: string): Promise<string> {
  const { models } = (await askJson(tags)) as { models?: { name?: string; digest?: string }[] };
  const found = models?.find(({ name }) => name === model || name === `${model}:latest`);
  if (found?.digest !== undefined) return found.digest.replace('sha256:', '').slice(0, 12);
  throw new AppError('NOT_FOUND', `Ollama has no model called ${model}`, { hint: pull });
}
