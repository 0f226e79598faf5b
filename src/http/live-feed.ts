import { isoTime } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { LiveEvent } from '../wire/answers/project.ts';
import type { HttpParts } from './parts.ts';
import { type LastStates, type ProjectChange, type ProjectWatch, watchProject } from './project-changes.ts';

export type LiveFeed = ReturnType<typeof createLiveFeed>;

const maxKeptEvents = 1_000;
const maxListeners = 64;

/** Watches a project only while it has listeners. */
export function createLiveFeed({ clock, paths, open }: Pick<HttpParts, 'clock' | 'paths' | 'open'>) {
  // Distinguishes event ids of different runs of the server.
  const run = clock.now().toString(36);
  let count = 0;
  let recentEvents: (LiveEvent & { project: string; number: number })[] = [];
  const lastStates: LastStates = new Map();
  const listeners = new Map<string, Set<(event: LiveEvent) => void>>();
  const watches = new Map<string, ProjectWatch>();

  const idOf = (number: number): string => `${run}-${number}`;
  const publish = (project: string, { event, detail }: ProjectChange): void => {
    count += 1;
    const live = { id: idOf(count), event, data: { ...detail, project, at: isoTime(clock.now()) } };
    recentEvents = [...recentEvents, { ...live, project, number: count }].slice(-maxKeptEvents);
    for (const send of listeners.get(project) ?? []) send(live);
  };

  const eventsAfter = (project: string, lastEventId: string): LiveEvent[] => {
    const number = lastEventId.startsWith(`${run}-`) ? Number(lastEventId.slice(run.length + 1)) : Number.NaN;
    const oldest = recentEvents[0]?.number ?? count + 1;
    if (!Number.isInteger(number) || number > count || number < oldest - 1)
      return [{ id: idOf(count), event: 'reset', data: { project, at: isoTime(clock.now()) } }];
    return recentEvents
      .filter((event) => event.project === project && event.number > number)
      .map(({ id, event, data }) => ({ id, event, data }));
  };

  return {
    /**
     * Sends events from now on, or those after `lastEventId`, which a reconnecting client has seen last. If those are no
     * longer available, the first event is `reset` and the client must fetch everything again.
     */
    subscribe(
      project: string,
      lastEventId: string | undefined,
      send: (event: LiveEvent) => void,
    ): () => void {
      if ([...listeners.values()].reduce((sum, { size }) => sum + size, 0) >= maxListeners) {
        throw new AppError('CONFLICT', `too many live connections: ${maxListeners}`, {
          hint: 'Close some tabs of the viewer',
          retryable: true,
        });
      }
      if (lastEventId !== undefined) for (const event of eventsAfter(project, lastEventId)) send(event);
      const own = listeners.get(project) ?? new Set();
      listeners.set(project, own.add(send));
      const watch =
        watches.get(project) ??
        watchProject(
          open({ id: project, name: '' }),
          paths,
          (change) => publish(project, change),
          lastStates,
        );
      watches.set(project, watch);
      // Send an id with the first event, so that a client that loses the connection before any change can resume from
      // it.
      void watch.ready.then(() => {
        if (own.has(send))
          send({ id: idOf(count), event: 'ready', data: { project, at: isoTime(clock.now()) } });
      });
      return () => {
        own.delete(send);
        if (own.size > 0) return;
        watches.get(project)?.close();
        watches.delete(project);
      };
    },
    close(): void {
      for (const watch of watches.values()) watch.close();
      watches.clear();
    },
  };
}
