import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An embeddings endpoint with OpenAI's protocol that can be made unreachable. It returns constant vectors. */
export interface EmbedEndpoint {
  url: string;
  isAway: boolean;
  asked: number;
  close(): void;
}

const dims = 32;

export async function openEmbedEndpoint(): Promise<EmbedEndpoint> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      endpoint.asked += 1;
      if (endpoint.isAway) {
        response.writeHead(503).end();
        return;
      }
      const { input } = JSON.parse(Buffer.concat(pieces).toString('utf8')) as { input: string[] };
      const data = input.map((text, index) => ({ index, embedding: vectorOf(text) }));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint: EmbedEndpoint = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    isAway: false,
    asked: 0,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return endpoint;
}

const vectorOf = (text: string): number[] => {
  const numbers = Array.from(
    { length: dims },
    (_, at) => 1 + ((text.charCodeAt(at % text.length) * (at + 3)) % 17),
  );
  const length = Math.hypot(...numbers);
  return numbers.map((number) => number / length);
};
