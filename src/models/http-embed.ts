import { AppError } from '../base/errors.ts';
import { askJson, type Endpoint } from './ask-json.ts';
import { checkVectors, type Embedder, inBatches } from './embed.ts';

interface ServerOptions {
  model: string;
  url?: string;
  timeoutMs?: number;
  batchSize?: number;
}

/** A model in the user's own Ollama, such as `nomic-embed-text`. */
export async function connectOllama({
  model,
  url = 'http://127.0.0.1:11434',
  timeoutMs = 30_000,
  batchSize = 32,
}: ServerOptions): Promise<Embedder> {
  const pull = `ollama pull ${model}`;
  const endpoint = (path: string): Endpoint => ({
    name: 'Ollama',
    url: url.replace(/\/+$/, '') + path,
    timeoutMs,
    hint: 'ollama serve',
    hints: { 404: pull },
  });
  const version = await versionOf(model, endpoint('/api/tags'), pull);
  const ask = async (input: string[]): Promise<unknown> => {
    // `truncate`: the server shortens texts that exceed the model's context.
    const answer = await askJson(endpoint('/api/embed'), { model, input, truncate: true });
    return (answer as { embeddings?: unknown }).embeddings;
  };
  return connect(ask, { id: `ollama/${model}/${version}`, from: `Ollama (${model})`, hint: pull, batchSize });
}

/** Part of the model's digest. A name may refer to other weights after the next pull; the digest does not. */
async function versionOf(model: string, tags: Endpoint, pull: string): Promise<string> {
  const { models } = (await askJson(tags)) as { models?: { name?: string; digest?: string }[] };
  const found = models?.find(({ name }) => name === model || name === `${model}:latest`);
  if (found?.digest !== undefined) return found.digest.replace('sha256:', '').slice(0, 12);
  throw new AppError('NOT_FOUND', `Ollama has no model called ${model}`, { hint: pull });
}

/** Any endpoint with OpenAI's embeddings API: OpenAI, LiteLLM, vLLM, llama.cpp and others. `url` includes `/v1`. */
export function connectOpenAi({
  model,
  url = 'https://api.openai.com/v1',
  key,
  timeoutMs = 30_000,
  batchSize = 64,
}: ServerOptions & { key?: string }): Promise<Embedder> {
  const base = url.replace(/\/+$/, '');
  const hint = `curl ${base}/models`;
  const name = 'The embeddings endpoint';
  const endpoint: Endpoint = {
    name,
    url: `${base}/embeddings`,
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    timeoutMs,
    hint,
    hints: { 401: 'Check the key', 403: 'Check the key', 404: `Check the model's name: ${hint}` },
  };
  const ask = async (input: string[]): Promise<unknown> =>
    inOrder(
      ((await askJson(endpoint, { model, input, encoding_format: 'float' })) as { data?: unknown }).data,
    );
  return connect(ask, {
    id: `openai/${new URL(base).host}/${model}`,
    from: `${name} (${model})`,
    hint,
    batchSize,
  });
}

/** The API gives each embedding an index and does not guarantee their order. */
function inOrder(data: unknown): unknown {
  if (!Array.isArray(data)) return data;
  return data
    .map((row: { index?: unknown; embedding?: unknown } | null, at) => ({
      index: typeof row?.index === 'number' ? row.index : at,
      embedding: row?.embedding,
    }))
    .sort((a, b) => a.index - b.index)
    .map(({ embedding }) => embedding);
}

/** Sends one request at the start to learn the dimensions. */
async function connect(
  ask: (batch: string[]) => Promise<unknown>,
  { id, from, hint, batchSize }: { id: string; from: string; hint: string; batchSize: number },
): Promise<Embedder> {
  const request = async (batch: string[], dims?: number): Promise<Float32Array[]> =>
    checkVectors(await ask(batch), { count: batch.length, from, hint, dims });
  const dims = (await request(['dimensions']))[0]?.length ?? 0;
  return {
    id: `${id}/${dims}`,
    dims,
    embed: (texts) => inBatches(texts, batchSize, (batch) => request(batch, dims)),
  };
}
