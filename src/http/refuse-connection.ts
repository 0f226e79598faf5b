import type { Duplex } from 'node:stream';
import { errorEnvelope } from '../base/errors.ts';
import { statusOf } from './status.ts';

/** Writes an error response directly to the socket, for requests that have no response object, and closes it. */
export function sendErrorAndClose(socket: Duplex, error: unknown): void {
  const body = JSON.stringify(errorEnvelope(error));
  const head = [
    `HTTP/1.1 ${statusOf(error)} Refused`,
    'content-type: application/json',
    'connection: close',
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
