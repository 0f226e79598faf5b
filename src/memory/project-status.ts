import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isFromRepository } from '../domain/note.ts';
import type { Place } from '../domain/project.ts';
import { quickLimits, withIndex } from '../recall/with-index.ts';
import { bytesAfter } from '../store/events/event-log.ts';
import { readLostWrites } from './capture/lost-writes.ts';
import { gapOf } from './capture/record-gap.ts';
import { doubtfulApprovals, shownForMs } from './doubtful-approvals.ts';
import { unreadSessions } from './notes/distil-sessions.ts';
import { inboxOf, waitingIn } from './notes/review.ts';
import type { Activation } from './projects/activation.ts';
import { readFailures } from './projects/failures.ts';
import { readInstalls } from './projects/install-records.ts';
import type { OpenProject } from './projects/open-project.ts';
import { checkEvents } from './verify.ts';

const noPrompts = { person: 0, unconfirmed: 0, agent: 0, waiting: 0 };

/** Whether capture is on, the stored events and notes, and their disk usage. */
export async function statusOf(parts: OpenProject, place: Place, activation: Activation) {
  const own = parts.paths.project(place.project);
  const counts = await withIndex(parts, quickLimits, async (index) => ({
    unindexedBytes: bytesAfter((await index?.progress()) ?? {}, parts.log.end()),
    summary: (await index?.summary()) ?? { events: {}, lastByAgent: {} },
    turns: (await index?.agentTurns(parts.clock.now() - shownForMs)) ?? [],
    prompts: (await index?.prompts()) ?? noPrompts,
    unread: index === undefined ? 0 : (await unreadSessions(index)).length,
  }));
  const notes = await parts.notes.list();
  const { log, recoverable } = checkEvents(parts);
  const gap = gapOf(readLostWrites(parts.paths.lostWrites, place.project));
  return {
    project: place.project,
    name: place.name,
    root: place.root,
    capture: activation.on ? ('on' as const) : ('off' as const),
    ...(activation.on ? {} : { reason: activation.reason }),
    installs: readInstalls(parts.paths.installs).map(({ agent, scope }) => ({ agent, scope })),
    events: counts.summary.events,
    notes: notes.length,
    candidates: waitingIn(inboxOf(notes)),
    unreadSessions: activation.on && activation.config.distil === 'on' ? counts.unread : 0,
    untrusted: notes.filter((note) => isFromRepository(note) && note.trust < 2).length,
    lastCapture: counts.summary.lastByAgent,
    bytes: {
      events: bytesIn(own.events),
      notes: bytesIn(own.notes),
      index: bytesIn(own.index),
      all: bytesIn(parts.paths.home),
    },
    unindexedBytes: counts.unindexedBytes,
    prompts: counts.prompts,
    doubtfulApprovals: doubtfulApprovals(parts, counts.turns),
    failures: readFailures(parts.paths.failures).length,
    ...(gap === undefined ? {} : { gap }),
    log: { damage: log.damage, recoverable, tornWrites: log.tornWrites },
  };
}

function bytesIn(folder: string): number {
  try {
    return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
      const path = join(folder, entry.name);
      return sum + (entry.isDirectory() ? bytesIn(path) : statSync(path).size);
    }, 0);
  } catch {
    return 0;
  }
}
