import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Faults of the server; none by default. */
export interface ServerFault {
  status?: number;
  silent?: boolean;
  body?: string;
  redirect?: boolean;
  dimsAfterFirst?: number;
  dropOne?: boolean;
}

export interface EmbeddingServer {
  url: string;
  mischief: ServerFault;
  requests: { path: string; authorization: string | undefined; inputs: string[] }[];
  close(): Promise<void>;
}

const serverDims = 24;

/**
 * A real HTTP server on the loopback interface that speaks the embedding protocols of Ollama and OpenAI. Texts with the
 * same words get similar vectors, so that it passes the contract of an embedder.
 */
export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const state: Pick<EmbeddingServer, 'mischief' | 'requests'> = { mischief: {}, requests: [] };
  const server = createServer((request, response) => {
    void answer(request, response, state);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    ...state,
    get mischief() {
      return state.mischief;
    },
    set mischief(mischief) {
      state.mischief = mischief;
    },
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { mischief, requests }: Pick<EmbeddingServer, 'mischief' | 'requests'>,
): Promise<void> {
  let text = '';
  for await (const part of request) text += part;
  const path = request.url ?? '';
  const { model = '', input = [] } = (text === '' ? {} : JSON.parse(text)) as {
    model?: string;
    input?: string[];
  };
  requests.push({ path, authorization: request.headers.authorization, inputs: input });
  const send = (status: number, body: string, headers = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  };
  if (mischief.silent) return;
  if (mischief.redirect) return send(307, '', { location: '/elsewhere' });
  if (mischief.status !== undefined) return send(mischief.status, `{"error":"refused: ${input.join()}"}`);
  if (mischief.body !== undefined) return send(200, mischief.body);
  if (path === '/api/tags')
    return send(
      200,
      JSON.stringify({ models: [{ name: 'sample:latest', digest: 'sha256:0123456789abcdef' }] }),
    );
  if (model !== 'sample') return send(404, '{}');
  const dims = requests.length > 3 ? (mischief.dimsAfterFirst ?? serverDims) : serverDims;
  const vectors = input.slice(mischief.dropOne ? 1 : 0).map((one) => [...vectorOf(one, dims)]);
  if (path === '/api/embed') return send(200, JSON.stringify({ model, embeddings: vectors }));
  // The protocol numbers its results, so a server may send them in any order.
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })).reverse();
  send(200, JSON.stringify({ object: 'list', model, data }));
}

function vectorOf(text: string, dims: number): Float32Array {
  const vector = new Float32Array(dims).fill(0.01);
  for (const word of text.toLowerCase().match(/\w+/g) ?? []) {
    let state = 2_166_136_261;
    for (const letter of word) state = Math.imul(state ^ letter.charCodeAt(0), 16_777_619);
    for (let at = 0; at < dims; at++) {
      state = Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x6d2b79f5;
      vector[at] = (vector[at] as number) + ((state >>> 8) / 2 ** 24) * 2 - 1;
    }
  }
  return vector;
}
