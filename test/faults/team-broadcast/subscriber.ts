import { get, type IncomingMessage } from 'node:http';

/** Listens as a program does: comes back after every cut, to whichever server answers, with the last id it has. */
export interface Subscriber {
  /** Ids of events in the order in which they came, with the project that each names. */
  heard: { id: string; project: string }[];
  cuts: number;
  /** Whether it has been let in for the first time. */
  isIn(): boolean;
  stop(): void;
}

const pauseMs = 300;
/** The server says something every fifteen seconds; whoever hears nothing for so long has been cut off. */
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
    heard: [],
    cuts: 0,
    isIn: () => hasBeenIn,
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
      subscriber.heard.push({ id, project: (JSON.parse(data) as { project: string }).project });
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
