import { ApiError, type CallOptions, type Connection, send } from './request.ts';

const retryMs = 2_000;

/**
 * Follows a stream of server-sent events. If the connection breaks, it continues after the last event; `reset` says
 * that events were missed. It ends when `signal` is aborted. It throws if the first connection fails, and if the server
 * refuses a later one.
 */
export async function* follow<Event>(
  connection: Connection,
  path: string,
  params: object = {},
  options: CallOptions = {},
): AsyncGenerator<Event> {
  const { signal } = options;
  let lastId = '';
  for (let isFirst = true; ; isFirst = false) {
    try {
      const headers = { accept: 'text/event-stream', ...(lastId === '' ? {} : { 'last-event-id': lastId }) };
      const { body } = await send(connection, 'GET', path, params, {
        ...options,
        headers: { ...options.headers, ...headers },
      });
      isFirst = false;
      for await (const block of blocksOf(body)) {
        const { id = '', event, data } = fieldsOf(block);
        if (id !== '') lastId = id;
        if (event !== undefined && data !== undefined) yield { id, event, data: JSON.parse(data) } as Event;
      }
    } catch (error) {
      const isFinal = isFirst || (error instanceof ApiError && !error.retryable);
      if (isFinal && signal?.aborted !== true) throw error;
    }
    if (signal?.aborted === true) return;
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
}

/** The blocks of a stream, each without the empty line that ends it. */
async function* blocksOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) {
      const blocks = (rest + decoder.decode(read.value, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      yield* blocks;
    }
  } finally {
    await reader?.cancel().catch(() => {});
  }
}

const fieldsOf = (block: string): Record<string, string> =>
  Object.fromEntries([...block.matchAll(/^(\w+): ?(.*)$/gm)].map(([, name, value]) => [name, value]));
