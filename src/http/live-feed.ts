import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { HomePaths } from '../base/paths.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import { type ProjectChange, type ProjectWatch, type SeenProjects, watchProject } from './project-changes.ts';

export interface LiveEvent {
  /** Of this run of the server, in order. */
  id: string;
  /** `ready`: nothing from here on is missed; `reset`: something was. */
  event: ProjectChange['event'] | 'ready' | 'reset';
  data: Record<string, unknown>;
}

export interface LiveFeed {
  /**
   * From now on, or from the event named by `after`, which a listener who was cut off has seen last. Where that
   * cannot be told any more, the first event is `reset`: ask for everything again.
   */
  listen(project: string, after: string | undefined, hear: (event: LiveEvent) => void): () => void;
  close(): void;
}

interface FeedParts {
  clock: Clock;
  paths: HomePaths;
  open(project: { id: string; name: string }): OpenProject;
}

const keptEvents = 1_000;
const maxListeners = 64;

/** Nothing is watched while nobody listens. */
export function createLiveFeed({ clock, paths, open }: FeedParts): LiveFeed {
  // A listener may come back to another run of the server, whose events are others.
  const run = clock.now().toString(36);
  let count = 0;
  let kept: (LiveEvent & { project: string; number: number })[] = [];
  const seen: SeenProjects = new Map();
  const listeners = new Map<string, Set<(event: LiveEvent) => void>>();
  const watches = new Map<string, ProjectWatch>();

  const idOf = (number: number): string => `${run}-${number}`;
  const tell = (project: string, { event, detail }: ProjectChange): void => {
    count += 1;
    const live = { id: idOf(count), event, data: { project, at: clock.now(), ...detail } };
    kept = [...kept, { ...live, project, number: count }].slice(-keptEvents);
    for (const hear of listeners.get(project) ?? []) hear(live);
  };

  const missed = (project: string, after: string): LiveEvent[] => {
    const number = after.startsWith(`${run}-`) ? Number(after.slice(run.length + 1)) : Number.NaN;
    const oldest = kept[0]?.number ?? count + 1;
    if (!Number.isInteger(number) || number > count || number < oldest - 1)
      return [{ id: idOf(count), event: 'reset', data: { project, at: clock.now() } }];
    return kept
      .filter((event) => event.project === project && event.number > number)
      .map(({ id, event, data }) => ({ id, event, data }));
  };

  return {
    listen(project, after, hear) {
      if ([...listeners.values()].reduce((sum, { size }) => sum + size, 0) >= maxListeners) {
        throw new AppError('CONFLICT', `${maxListeners} are listening already`, {
          hint: 'close some of them',
          retryable: true,
        });
      }
      if (after !== undefined) for (const event of missed(project, after)) hear(event);
      const own = listeners.get(project) ?? new Set();
      listeners.set(project, own.add(hear));
      const watch =
        watches.get(project) ??
        watchProject(open({ id: project, name: '' }), paths, (change) => tell(project, change), seen);
      watches.set(project, watch);
      // With an id, so that who is cut off before anything happened can go on from here as well.
      void watch.ready.then(() => {
        if (own.has(hear)) hear({ id: idOf(count), event: 'ready', data: { project, at: clock.now() } });
      });
      return () => {
        own.delete(hear);
        if (own.size > 0) return;
        watches.get(project)?.close();
        watches.delete(project);
      };
    },
    close() {
      for (const watch of watches.values()) watch.close();
      watches.clear();
    },
  };
}
