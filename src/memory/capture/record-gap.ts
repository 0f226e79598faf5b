import { isoTime } from '../../base/clock.ts';
import { hashId } from '../../base/hash.ts';
import type { EventContent } from '../../domain/event.ts';
import { plural } from '../../text/plural.ts';
import { recordFailure } from '../projects/failures.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { clearLostWrites, ensureLostWrites, type LostWrite, readLostWrites } from './lost-writes.ts';
import { backgroundContext, recordOwnEvents } from './own-events.ts';

/** Adds an event to the log that says how many events hooks could not store. Runs once the disk has space again. */
export function recordGap(parts: OpenProject): void {
  try {
    writeGap(parts);
  } catch {
    // The disk is still full. The records of lost events stay in their file, and the next background run tries again.
  }
}

function writeGap(parts: OpenProject): void {
  const { paths, project, clock } = parts;
  ensureLostWrites(paths.lostWrites);
  const gap = gapOf(readLostWrites(paths.lostWrites, project));
  if (gap === undefined) return;
  const id = hashId('gap', project, gap.from);
  recordOwnEvents(parts, backgroundContext(parts), [
    { kind: 'gap', id, origin: 'system', trust: 2, body: gap },
  ]);
  recordFailure(paths.failures, 'hook', new Error(gapText(gap)), clock);
  clearLostWrites(paths.lostWrites, project);
}

type Gap = Extract<EventContent, { kind: 'gap' }>['body'];

export function gapOf(lost: LostWrite[]): Gap | undefined {
  const [first, last] = [lost[0], lost.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const events = lost.reduce((sum, one) => sum + one.events, 0);
  return { from: isoTime(first.at), to: isoTime(last.at), events, code: last.code };
}

export const gapText = ({ from, to, events, code }: Gap): string =>
  `${plural(events, 'event')} could not be stored between ${from} and ${to} (${code}); some may be recovered from transcripts`;
