import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import {
  createProtocolConnection,
  type Hover,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';

/** A client of the installed `backstory lsp`, as an editor starts it. */
export async function startLsp(program: string, { cwd, env }: { cwd: string; env: Record<string, string> }) {
  const child = spawn(process.execPath, [program, 'lsp', '--stdio'], {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const messages: string[] = [];
  connection.onNotification('window/showMessage', ({ message }: { message: string }) => {
    messages.push(message);
  });
  connection.listen();
  const capabilities = { textDocument: { hover: { contentFormat: ['markdown'] } } };
  await connection.sendRequest('initialize', { processId: process.pid, rootUri: null, capabilities });
  await connection.sendNotification('initialized', {});
  const uriOf = (file: string): string => pathToFileURL(file).href;
  return {
    child,
    messages,
    uriOf,
    ask: <T>(method: string, params: object): Promise<T> => connection.sendRequest(method, params),
    open: (file: string) =>
      connection.sendNotification('textDocument/didOpen', {
        textDocument: {
          uri: uriOf(file),
          languageId: 'typescript',
          version: 1,
          text: readFileSync(file, 'utf8'),
        },
      }),
    /** The text of the hover over a line, which counts from 1; empty if there is none. */
    async hover(file: string, line: number): Promise<string> {
      const found: Hover | null = await connection.sendRequest('textDocument/hover', {
        textDocument: { uri: uriOf(file) },
        position: { line: line - 1, character: 0 },
      });
      return found === null ? '' : (found.contents as { value: string }).value;
    },
    /** Closes stdin, as an editor that ends. Resolves with the exit code. */
    async end(): Promise<number | null> {
      const ended = once(child, 'exit');
      child.stdin.end();
      return ((await ended) as [number | null])[0];
    },
  };
}
