import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Record<string, string>;
  resource: Record<string, string>;
  isFailed: boolean;
}

export interface Collector {
  url: string;
  spans: CollectedSpan[];
  /** The request bodies as received, for searching them for text that must not be there. */
  bodies: string[];
  headers: Record<string, string | string[] | undefined>[];
  /** The status of the next responses. With 'none' the collector accepts requests and never responds. */
  status: number | 'none';
  close(): Promise<void>;
}

interface OtlpAttribute {
  key: string;
  value: { stringValue?: string; intValue?: string | number };
}

/** Receives traces as OTLP over HTTP in JSON, as an OpenTelemetry collector does. */
export async function startCollector(): Promise<Collector> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { status } = collector;
      if (status === 'none') return;
      if (status === 200 && request.method === 'POST' && request.url === '/v1/traces') {
        const text = Buffer.concat(pieces).toString('utf8');
        collector.bodies.push(text);
        collector.headers.push(request.headers);
        collector.spans.push(...spansIn(text));
      }
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    bodies: [],
    headers: [],
    status: 200,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return collector;
}

const plain = (attributes: OtlpAttribute[]): Record<string, string> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      String(value.stringValue ?? value.intValue ?? 'of another type'),
    ]),
  );

function spansIn(text: string): CollectedSpan[] {
  const { resourceSpans } = JSON.parse(text);
  const found: CollectedSpan[] = [];
  for (const { resource, scopeSpans } of resourceSpans)
    for (const { spans } of scopeSpans)
      for (const span of spans)
        found.push({
          ...span,
          attributes: plain(span.attributes),
          resource: plain(resource.attributes),
          isFailed: span.status.code === 2,
        });
  return found;
}
