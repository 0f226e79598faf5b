import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../src/base/clock.ts';
import { type HomePaths, homePaths } from '../../../src/base/paths.ts';
import type { Place } from '../../../src/domain/project.ts';
import { drain } from '../../../src/memory/drain.ts';
import { statusOf } from '../../../src/memory/project-status.ts';
import { activationOf } from '../../../src/memory/projects/activation.ts';
import type { OpenProject } from '../../../src/memory/projects/open-project.ts';
import { resolvePlace } from '../../../src/memory/projects/projects.ts';
import { recall } from '../../../src/recall/recall.ts';
import { quickLimits } from '../../../src/recall/with-index.ts';
import { createEventLog } from '../../../src/store/events/event-log.ts';
import { currentDatabase, seal } from '../../../src/store/sqlite/index-files.ts';
import { type Home, openDrain } from '../../harness/home.ts';
import { sessionStartInput } from '../../harness/hook-input.ts';
import type { Prose } from '../../harness/prose.ts';
import type { Random } from '../../harness/random.ts';
import { sampleEvent } from '../../harness/sample-event.ts';

/** A project with several months of events, a manifest, and an index of all but the last events. */
export interface Months {
  parts: OpenProject;
  folder: string;
  events: string;
  /** The file with lines that neither the manifest nor the index covers yet. */
  tailFile: string;
  /** Restores the state before the first damage. */
  reset(): void;
  /** Ids of all events that the index or the log has. */
  heldIds: Set<string>;
  readableIds(): Set<string>;
  status(): ReturnType<typeof statusOf>;
  /** The hits of recall for each question, in order. */
  answers(): Promise<string[]>;
  /** Appends events to the newest month, as a hook does. */
  appendSome(count: number): void;
}

const months = ['2026-07', '2026-08', '2026-09', '2026-10'];
/** A month with so many events that its file is longer than one block of the manifest of checksums. */
const longMonth = '2026-09';
const truth = ['events', 'notes', 'index', 'log-manifest.json', 'log-manifest.mark'];

const questions = [
  'why is the queue durable',
  'stale index',
  'retry timeout budget',
  'parser token',
  'snapshot migration release',
  'schema table row column',
  'hook agent server',
  'what replaces the broken folder',
];

export async function buildMonths(
  home: Home,
  prose: Prose,
  random: Random,
  eventsPerMonth: number,
): Promise<Months> {
  home.hook(sessionStartInput({ cwd: home.repo, session: 'damage' }));
  const paths = homePaths(home.backstory);
  const folder = home.projectFolder();
  const { place } = resolvePlace(paths, home.repo, systemClock);
  const parts = openDrain(paths, place.project, { userHome: home.home, clock: systemClock });
  const events = join(folder, 'events');
  let number = 0;
  const append = (month: string, count: number) => {
    const now = Date.parse(`${month}-15T12:00:00Z`);
    const batch = Array.from({ length: count }, () => sampleEvent(number++, place.project, prose, random));
    createEventLog(events, { now: () => now }).append(batch);
  };
  // Run several drains (background indexing) per month, so that blocks of the manifest are also extended.
  for (const month of months) {
    for (let part = 0; part < 3; part++) {
      append(month, eventsPerMonth * (month === longMonth ? 1 : 1 / 3));
      await drain(parts);
    }
  }
  const readableIds = () => idsIn(parts);
  const heldIds = readableIds();
  append(months.at(-1) as string, 6);
  const template = join(home.home, 'template');
  for (const name of truth) copyIfThere(join(folder, name), join(template, name));
  const own: Months = {
    parts,
    folder,
    events,
    tailFile: `${months.at(-1)}.jsonl`,
    heldIds,
    readableIds,
    reset() {
      for (const name of truth) {
        rmSync(join(folder, name), { recursive: true, force: true });
        copyIfThere(join(template, name), join(folder, name));
      }
      const database = currentDatabase(join(folder, 'index'));
      // The seal records the identity of the database file. A copy is another file, so it is sealed again as its writer
      // would do.
      if (database !== undefined) seal(database);
    },
    status: () => statusHere(paths, parts, place, home),
    async answers() {
      const found = [];
      for (const text of questions) {
        const { hits } = await recall(parts, { text }, quickLimits);
        // Compare hits by text, because a note that is extracted again has another id.
        found.push(hits.map(({ chunk }) => `${chunk.kind} ${chunk.text}`).join('\n'));
      }
      return found;
    },
    appendSome: (count) => append(months.at(-1) as string, count),
  };
  own.reset();
  return own;
}

function idsIn({ log }: OpenProject): Set<string> {
  const ids = new Set<string>();
  for (const { entry } of log.read({})) if (entry.kind === 'event') ids.add(entry.event.id);
  return ids;
}

function statusHere(paths: HomePaths, parts: OpenProject, place: Place, home: Home) {
  const at = { ...place, cwd: home.repo, userHome: home.home };
  return statusOf(parts, place, activationOf(paths, at, systemClock));
}

function copyIfThere(from: string, to: string): void {
  try {
    cpSync(from, to, { recursive: true, preserveTimestamps: true });
  } catch {
    // The project has no notes.
  }
}

/** The existing month files, oldest first. */
export const monthFiles = (events: string): string[] =>
  readdirSync(events)
    .filter((name) => name.endsWith('.jsonl'))
    .sort();
