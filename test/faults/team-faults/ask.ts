import { type Agent, request } from 'node:http';
import { hangMs } from '../../support/until.ts';

export interface Question {
  url: string;
  path: string;
  token?: string;
  /** If set, the request is a POST. */
  body?: unknown;
  agent?: Agent;
}

/** `status` is 0 if no complete response arrived. */
export interface Answer {
  status: number;
  retryAfter?: string | undefined;
  text: string;
}

/**
 * Sends one request, on its own connection unless `agent` is given. Never throws; a failure is a response with status
 * 0.
 */
export const askOnce = ({ url, path, token, body, agent }: Question): Promise<Answer> =>
  new Promise((resolve) => {
    const text = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const sent = request(`${url}${path}`, {
      method: text === undefined ? 'GET' : 'POST',
      agent: agent ?? false,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(text === undefined ? {} : { 'content-type': 'application/json', 'content-length': text.length }),
      },
    });
    const none = () => {
      clearTimeout(timer);
      resolve({ status: 0, text: '' });
    };
    const timer = setTimeout(() => sent.destroy(), hangMs);
    sent.on('error', none);
    sent.on('close', none);
    sent.on('response', (response) => {
      const pieces: Buffer[] = [];
      response.on('error', none);
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () => {
        if (!response.complete) return none();
        clearTimeout(timer);
        resolve({
          status: response.statusCode ?? 0,
          retryAfter: response.headers['retry-after'],
          text: Buffer.concat(pieces).toString('utf8'),
        });
      });
    });
    sent.end(text);
  });
