import { get, type IncomingMessage } from 'node:http';

/** A live-event client that reconnects after every disconnect, to any server, with its last event id. */
export interface Subscriber {
  /** Event ids in the order received, each with its project. */
  received: { id: string; project: string }[];
  cuts: number;
  /** Whether it has connected for the first time. */
  isConnected(): boolean;
  stop(): void;
}

const pauseMs = 300;
/** The server sends something every fifteen seconds; a client that receives nothing for this long is disconnected. */
const silenceMs = 45_000;

export function subscribe(
  urls: string[],
  project: string,
  token: string,
  first: number,
  longestSilenceMs = silenceMs,
): Subscriber {
  let last: string | undefined;
  let isStopped = false;
  let hasBeenIn = false;
  let turn = first;
  let current: { destroy(): void } | undefined;
  const subscriber: Subscriber = {
    received: [],
    cuts: 0,
    isConnected: () => hasBeenIn,
    stop() {
      isStopped = true;
      current?.destroy();
    },
  };
  const again = () => {
    if (isStopped) return;
    subscriber.cuts += hasBeenIn ? 1 : 0;
    turn += 1;
    setTimeout(connect, pauseMs);
  };
  const read = (response: IncomingMessage) => {
    let rest = '';
    response.setEncoding('utf8');
    response.on('data', (piece: string) => {
      const blocks = `${rest}${piece}`.split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) take(block);
    });
  };
  const take = (block: string) => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
    const [id, data] = [field('id'), field('data')];
    hasBeenIn ||= id !== undefined;
    last = id ?? last;
    if (id !== undefined && data !== undefined)
      subscriber.received.push({ id, project: (JSON.parse(data) as { project: string }).project });
  };
  function connect(): void {
    if (isStopped) return;
    let isOver = false;
    const over = () => {
      if (isOver) return;
      isOver = true;
      again();
    };
    const request = get(`${urls[turn % urls.length]}/api/projects/${project}/events`, {
      agent: false,
      headers: {
        authorization: `Bearer ${token}`,
        ...(last === undefined ? {} : { 'last-event-id': last }),
      },
    });
    current = request;
    request.setTimeout(longestSilenceMs, () => request.destroy());
    request.on('error', over);
    request.on('response', (response) => {
      response.on('error', over);
      response.on('close', over);
      if (response.statusCode === 200) read(response);
      else response.resume();
    });
  }
  connect();
  return subscriber;
}
