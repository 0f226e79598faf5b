import type { Duplex } from 'node:stream';
import { problemOf, problemType, statusOf } from '../api/problem.ts';

/** Writes an error response directly to the socket, for requests that have no response object, and closes it. */
export function sendErrorAndClose(socket: Duplex, error: unknown): void {
  const body = JSON.stringify(problemOf(error));
  const head = [
    `HTTP/1.1 ${statusOf(error)} Refused`,
    `content-type: ${problemType}`,
    'connection: close',
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
