import type { Subscriber } from './subscriber.ts';

const pauseMs = 300;

interface Told {
  id: string;
  event: string;
  data: { project: string };
}

const liveUrl = (url: string, project: string, last?: string): string =>
  `${url.replace(/^http/, 'ws')}/api/projects/${project}/live${last === undefined ? '' : `?last_event_id=${last}`}`;

/** The same over a WebSocket, as a browser listens. */
export function subscribeBySocket(urls: string[], project: string, token: string, first: number): Subscriber {
  let last: string | undefined;
  let isStopped = false;
  let hasBeenIn = false;
  let turn = first;
  let current: WebSocket | undefined;
  const subscriber: Subscriber = {
    heard: [],
    cuts: 0,
    isIn: () => hasBeenIn,
    stop() {
      isStopped = true;
      current?.close();
    },
  };
  function connect(): void {
    if (isStopped) return;
    const url = urls[turn % urls.length] ?? '';
    const socket = new WebSocket(liveUrl(url, project, last), ['backstory', token]);
    current = socket;
    socket.addEventListener('message', ({ data }) => {
      const { id, event, data: about } = JSON.parse(String(data)) as Told;
      hasBeenIn = true;
      last = id;
      if (event !== 'ready') subscriber.heard.push({ id, project: about.project });
    });
    socket.addEventListener('close', () => {
      if (isStopped) return;
      subscriber.cuts += hasBeenIn ? 1 : 0;
      turn += 1;
      setTimeout(connect, pauseMs);
    });
  }
  connect();
  return subscriber;
}

/** Whether this server can be listened to that way. */
export const hasSockets = (url: string, project: string, token: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = new WebSocket(liveUrl(url, project), ['backstory', token]);
    socket.addEventListener('message', () => {
      socket.close();
      resolve(true);
    });
    socket.addEventListener('close', () => resolve(false));
  });
