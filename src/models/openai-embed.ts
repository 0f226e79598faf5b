import { AppError } from '../base/errors.ts';
import { askJson, type Endpoint } from './ask-json.ts';
import { checkVectors, type Embedder, inBatches } from './embed.ts';

export interface OpenAiOptions {
  /** Base URL including `/v1`, as used by OpenAI, LiteLLM, vLLM, llama.cpp, LM Studio and others. */
  url: string;
  model: string;
  key?: string;
  /** Requested length of the vectors, for models that can shorten them. */
  dims?: number;
  timeoutMs?: number;
  batchSize?: number;
}

/** Any endpoint with OpenAI's embeddings API. Sends one request at the start to learn the dimensions. */
export async function connectOpenAi({
  url,
  model,
  key,
  dims: wantedDims,
  timeoutMs = 30_000,
  batchSize = 64,
}: OpenAiOptions): Promise<Embedder> {
  const base = url.replace(/\/+$/, '');
  const hint = `curl ${base}/models`;
  const endpoint: Endpoint = {
    name: 'The embeddings endpoint',
    url: `${base}/embeddings`,
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    timeoutMs,
    hint,
    hints: { 401: 'Check the key', 403: 'Check the key', 404: `Check the model's name: ${hint}` },
  };
  const request = async (batch: string[], dims?: number): Promise<Float32Array[]> => {
    const body = { model, input: batch, encoding_format: 'float' };
    const answer = await askJson(
      endpoint,
      wantedDims === undefined ? body : { ...body, dimensions: wantedDims },
    );
    return checkVectors(inOrder((answer as { data?: unknown }).data), {
      count: batch.length,
      from: `The embeddings endpoint (${model})`,
      hint,
      ...(dims === undefined ? {} : { dims }),
    });
  };
  const [probe] = await request(['dimensions'], wantedDims);
  if (probe === undefined) throw new AppError('BACKEND_FAILURE', `${model} returned no vectors`, { hint });
  const dims = probe.length;
  return {
    id: ['openai', new URL(base).host, model, dims].join('/'),
    dims,
    embed: (texts) => inBatches(texts, batchSize, (batch) => request(batch, dims)),
  };
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
