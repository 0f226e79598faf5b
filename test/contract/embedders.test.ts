import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AppError } from '../../src/base/errors.ts';
import { connectOllama, connectOpenAi } from '../../src/models/http-embed.ts';
import { loadStaticModel } from '../../src/models/static-embed.ts';
import { type EmbeddingServer, startEmbeddingServer } from '../support/embedding-server.ts';
import { describeEmbedder } from './embedders.ts';

let server: EmbeddingServer;
beforeAll(async () => {
  server = await startEmbeddingServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.mischief = {};
  server.requests.length = 0;
});

const ollama = (more = {}) => connectOllama({ model: 'sample', url: server.url, timeoutMs: 2_000, ...more });
const openAi = (more = {}) =>
  connectOpenAi({ model: 'sample', url: `${server.url}/v1/`, timeoutMs: 2_000, key: 'a-key', ...more });

describeEmbedder('The built-in model', async () => loadStaticModel('assets/static-en.bin'));
describeEmbedder('Ollama', ollama);
describeEmbedder('An OpenAI-compatible endpoint', openAi);

const failure = async (work: Promise<unknown>): Promise<AppError> =>
  work.then(
    () => {
      throw new Error('it did not fail');
    },
    (error: AppError) => error,
  );

describe.each([
  ['Ollama', ollama, 'ollama serve'],
  ['An OpenAI-compatible endpoint', openAi, 'curl'],
])('%s with a fault', (_, connect, hint) => {
  it('[embed-refusals] is reported with what to do, and never with the text that was sent', async () => {
    const embedder = await connect();
    for (const mischief of [
      { status: 500 },
      { status: 429 },
      { status: 401 },
      { status: 404 },
      { body: 'not JSON' },
      { body: '{}' },
      { body: '{"data":[{"embedding":["x"]}],"embeddings":[["x"]]}' },
      { body: '{"data":[{"embedding":[]}],"embeddings":[[]]}' },
      { body: '{"data":[null],"embeddings":[null]}' },
      { redirect: true },
      { dropOne: true },
      { dimsAfterFirst: 7 },
    ]) {
      server.mischief = mischief;
      server.requests.length = 5;
      const error = await failure(embedder.embed(['a private text']));
      expect(error.code, JSON.stringify(mischief)).toBe('BACKEND_FAILURE');
      expect(error.hint).not.toBe('');
      expect(error.message).not.toContain('private');
      expect(error.retryable).toBe(mischief.redirect === true || (mischief.status ?? 0) > 404);
    }
  });

  it('does not block callers', async () => {
    const embedder = await connect({ timeoutMs: 150 });
    server.mischief = { silent: true };
    const error = await failure(embedder.embed(['text']));
    expect(error.message).toContain('within 150 ms');
    expect(error.retryable).toBe(true);
  });

  it('is reported with a hint if no server is running', async () => {
    const error = await failure(connect({ url: 'http://127.0.0.1:9/v1' }));
    expect(error.message).toContain('cannot be reached');
    expect(error.hint).toContain(hint);
  });

  it('receives batches', async () => {
    const embedder = await connect({ batchSize: 10 });
    server.requests.length = 0;
    expect(await embedder.embed(Array.from({ length: 25 }, (__, at) => `text ${at}`))).toHaveLength(25);
    expect(server.requests.map(({ inputs }) => inputs.length)).toEqual([10, 10, 5]);
  });
});

describe('requests to providers', () => {
  it('contain the key only for an OpenAI-compatible endpoint', async () => {
    await openAi();
    expect(server.requests.every(({ authorization }) => authorization === 'Bearer a-key')).toBe(true);
    server.requests.length = 0;
    await ollama();
    expect(server.requests.some(({ authorization }) => authorization !== undefined)).toBe(false);
  });

  it('report how to get a missing model', async () => {
    expect((await failure(ollama({ model: 'other' }))).hint).toBe('ollama pull other');
    expect((await failure(openAi({ model: 'other' }))).hint).toContain('/v1/models');
  });
});
