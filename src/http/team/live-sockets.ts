import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { AppError } from '../../base/errors.ts';
import { followProject, placeId, toldOf, type Wish } from '../../team/follow.ts';
import type { TeamParts } from '../../team/parts.ts';
import { refuseOnSocket } from '../refuse.ts';
import type { TeamBindings } from './app.ts';

/**
 * What happens in a project, over a WebSocket. Who asks to upgrade goes the way of every other request first, with the
 * same guard; only the route of live events takes the line over.
 */
export interface LiveSockets {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

/** Takes the line over: `open` when it is a WebSocket, `gone` once it is closed, whether it ever was one or not. */
export type TakeOver = (open: (client: WebSocket) => void, gone: () => void) => void;

/** Browsers cannot send a token but as one of these; it is never the one that is agreed on. */
const protocol = 'backstory';
const tokenShape = /^bst_[0-9a-f]{64}$/;
const livePath = /^\/api\/projects\/[^/]+\/live$/;

export function createLiveSockets(
  addressOf: (request: IncomingMessage) => string,
  ask: (request: Request, bindings: TeamBindings) => Response | Promise<Response>,
): LiveSockets {
  const server = new WebSocketServer({
    noServer: true,
    // Only to be listened to: what a client sends is not read.
    maxPayload: 1024,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(protocol) ? protocol : false),
  });
  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (!livePath.test(url.pathname))
      throw new AppError('NOT_FOUND', 'nobody listens here', { hint: '/api/projects/ID/live' });
    let isTaken = false;
    const takeOver: TakeOver = (open, gone) => {
      isTaken = true;
      if (socket.destroyed) return gone();
      socket.once('close', gone);
      server.handleUpgrade(request, socket, head, open);
    };
    const response = await ask(asRequest(request, url), {
      address: addressOf(request),
      upgrade: takeOver,
    });
    if (!isTaken) await refuseWith(socket, response);
  };
  return {
    upgrade(request, socket, head) {
      // A connection that breaks while it is turned away is no failure of ours.
      socket.on('error', () => socket.destroy());
      upgrade(request, socket, head).catch((error: unknown) => refuseOnSocket(socket, error));
    },
    close() {
      for (const client of server.clients) client.terminate();
      server.close();
    },
  };
}

const passedOn = [
  'authorization',
  'cookie',
  'last-event-id',
  'origin',
  'host',
  'x-forwarded-host',
  'sec-fetch-site',
] as const;

function asRequest({ headers }: IncomingMessage, url: URL): Request {
  const given = new Headers();
  for (const name of passedOn) {
    const value = headers[name];
    if (typeof value === 'string') given.set(name, value);
  }
  const token = (headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .find((name) => tokenShape.test(name));
  if (token !== undefined && !given.has('authorization')) given.set('authorization', `Bearer ${token}`);
  return new Request(url, { headers: given });
}

async function refuseWith(socket: Duplex, response: Response): Promise<void> {
  const body = await response.text();
  const head = [
    `HTTP/1.1 ${response.status} Refused`,
    ...[...response.headers].map(([name, value]) => `${name}: ${value}`),
    'connection: close',
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Whoever has not read so much has lost the thread; they come back with the last id they heard. */
const mostBytesWaiting = 1024 * 1024;
const goingAway = 1001;
const goodbyeMs = 1_000;

export async function followBySocket(parts: TeamParts, wish: Wish, takeOver: TakeOver): Promise<void> {
  let client: WebSocket | undefined;
  let isThere = true;
  let isOver = false;
  const end = (): void => {
    isOver = true;
    client?.close(goingAway);
    // A peer that does not answer keeps nothing open here.
    setTimeout(() => client?.terminate(), goodbyeMs).unref();
  };
  const tell = (message: Record<string, unknown>): void => {
    if (client === undefined || client.readyState !== client.OPEN) return;
    client.send(JSON.stringify(message));
  };
  const following = await followProject(parts, wish, {
    hear: (event) => tell({ id: placeId(event), event: event.kind, data: toldOf(event) }),
    isCaughtUp: () => isOver || (client?.bufferedAmount ?? 0) === 0,
    isTooFarBehind: () => (client?.bufferedAmount ?? 0) > mostBytesWaiting,
    stillThere() {
      if (!isThere) return client?.terminate();
      isThere = false;
      client?.ping();
    },
    end,
  });
  takeOver(
    (opened) => {
      client = opened;
      opened.on('pong', () => {
        isThere = true;
      });
      opened.on('error', () => opened.terminate());
      if (isOver) return end();
      tell({ id: placeId(following.from), event: 'ready', data: { project: wish.project } });
      if (following.isReset)
        tell({ id: placeId(following.from), event: 'reset', data: { project: wish.project } });
      following.begin();
    },
    () => {
      isOver = true;
      following.stop();
    },
  );
}
