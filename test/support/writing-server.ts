import { chmodSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import type { WriterProvider } from '../../src/domain/writer-choice.ts';

/**
 * A scripted model for every provider. It speaks the three HTTP dialects itself. The command-line programs of the four
 * vendors are replaced by one that sends its request here and prints what the vendor's program prints. It follows the
 * script, including faults, and counts the requests it received.
 */
export interface WritingServer {
  url: string;
  /** Decides how the next requests are answered. */
  script: (request: WritingRequest) => Behaviour;
  requests: WritingRequest[];
  readonly inFlight: number;
  readonly mostInFlight: number;
  close(): Promise<void>;
}

export interface WritingRequest {
  dialect: WriterProvider;
  instructions: string;
  data: string;
  maxTokens: number;
  headers: IncomingMessage['headers'];
  /** For a program: its arguments and its environment. */
  args?: string[];
  guard?: string;
  /** Resolves when the connection is closed, with the number of response bytes sent until then. */
  closed: Promise<number>;
}

export type Behaviour =
  | { kind: 'answer'; text: string; claims?: { input: number; output: number } }
  | { kind: 'refuse'; status: number; retryAfter?: string }
  | { kind: 'hang' }
  | { kind: 'flood' }
  | { kind: 'garbage' };

export async function startWritingServer(script: WritingServer['script']): Promise<WritingServer> {
  const state = { script, requests: [] as WritingRequest[], inFlight: 0, mostInFlight: 0 };
  const server = createServer((request, response) => {
    state.inFlight += 1;
    state.mostInFlight = Math.max(state.mostInFlight, state.inFlight);
    response.once('close', () => {
      state.inFlight -= 1;
    });
    void answer(request, response, state);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get script() {
      return state.script;
    },
    set script(next) {
      state.script = next;
    },
    requests: state.requests,
    get inFlight() {
      return state.inFlight;
    },
    get mostInFlight() {
      return state.mostInFlight;
    },
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
  state: Pick<WritingServer, 'script' | 'requests'>,
): Promise<void> {
  let body = '';
  for await (const part of request) body += part;
  let sent = 0;
  const closed = new Promise<number>((ended) => response.once('close', () => ended(sent)));
  const received = { ...readRequest(request.url ?? '', JSON.parse(body)), headers: request.headers, closed };
  state.requests.push(received);
  const behaviour = state.script(received);
  const send = (text: string): void => {
    sent += Buffer.byteLength(text);
    response.write(text);
  };
  switch (behaviour.kind) {
    case 'hang':
      return;
    case 'refuse': {
      const headers = behaviour.retryAfter === undefined ? {} : { 'retry-after': behaviour.retryAfter };
      // Echoes the request, because real servers do and the product must not pass that on.
      response.writeHead(behaviour.status, headers).end(JSON.stringify({ error: received.data }));
      return;
    }
    case 'garbage':
      response.end(`<html>${received.data.slice(0, 100)}</html>`);
      return;
    case 'flood': {
      send('{"filler":"');
      const timer = setInterval(() => send('and so on, '.repeat(100)), 2);
      response.once('close', () => clearInterval(timer));
      return;
    }
    case 'answer':
      send(JSON.stringify(inDialect(received.dialect, behaviour)));
      response.end();
  }
}

interface Message {
  role: string;
  content: string;
}

function readRequest(url: string, body: Record<string, unknown>) {
  const messages = (body.messages ?? []) as Message[];
  const contentOf = (role: string): string =>
    messages.find((message) => message.role === role)?.content ?? '';
  if (url.endsWith('/v1/messages'))
    return {
      dialect: 'anthropic' as const,
      instructions: String(body.system),
      data: contentOf('user'),
      maxTokens: Number(body.max_tokens),
    };
  if (url.endsWith('/chat/completions'))
    return {
      dialect: 'openai' as const,
      instructions: contentOf('system'),
      data: contentOf('user'),
      maxTokens: Number(body.max_tokens),
    };
  if (url.endsWith('/api/chat')) {
    const { num_predict } = body.options as { num_predict: number };
    return {
      dialect: 'ollama' as const,
      instructions: contentOf('system'),
      data: contentOf('user'),
      maxTokens: num_predict,
    };
  }
  return body as { dialect: WriterProvider; instructions: string; data: string; maxTokens: number };
}

function inDialect(dialect: WriterProvider, { text, claims }: Behaviour & { kind: 'answer' }): object {
  const { input = 0, output = 0 } = claims ?? {};
  switch (dialect) {
    case 'anthropic':
      return {
        content: [{ type: 'text', text }],
        usage: { input_tokens: input, output_tokens: output },
      };
    case 'openai':
      return {
        choices: [{ message: { role: 'assistant', content: text } }],
        usage: { prompt_tokens: input, completion_tokens: output },
      };
    case 'ollama':
      return { message: { role: 'assistant', content: text }, prompt_eval_count: input, eval_count: output };
    default:
      return { text, input, output };
  }
}

/** Writes a program that replaces one of a vendor into this folder and returns its path. */
export function scriptedProgram(folder: string, dialect: WriterProvider, url: string): string {
  const path = join(folder, `scripted-${dialect}`);
  const source = resolve(import.meta.dirname, 'scripted-program.ts');
  const command = [process.execPath, source, dialect, url].map((part) => `'${part}'`).join(' ');
  writeFileSync(path, `#!/bin/sh\nexec ${command} "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}
