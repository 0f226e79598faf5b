import type { Observation } from '../agents/agent.ts';
import { pathInCheckout } from '../base/path-in-checkout.ts';
import { inOrder } from '../domain/memo.ts';
import type { Place } from '../domain/project.ts';
import { memoStepOf } from '../recall/memo-step-record.ts';
import type { EventLog } from '../store/events/event-log.ts';
import { contextAfterEdit } from './context-after-edit.ts';
import { contentsAfter, fileKey, type PieceInContext } from './context-contents.ts';
import { readsByCommand, textOnDisk, withShownLines } from './shown-lines.ts';

/** Of a hook call that touched files: whose it is, and where. */
export interface Touching {
  place: Pick<Place, 'root' | 'checkout'>;
  cwd: string;
  agentSession: string;
  log: EventLog;
  /** This device's. */
  key: string;
}

/**
 * What a hook finds out about files while they are as the agent saw or left them: which lines a command showed, and
 * what an agent still knows of a file it has edited.
 */
export const touchedFiles = (observations: Observation[], touching: Touching): Observation[] =>
  observations.flatMap((observation) => {
    const { root } = touching.place;
    if (observation.kind === 'edit') return [withKeptPieces(observation, touching)];
    const standing = { root, cwd: observation.cwd ?? touching.cwd };
    return [withShownLines(observation, root), ...readsByCommand(observation, standing)];
  });

function withKeptPieces(observation: Observation & { kind: 'edit' }, touching: Touching): Observation {
  const { change, body } = observation;
  if (change === undefined) return observation;
  const held = change.kind === 'written' ? [] : piecesOf(observation, touching);
  const holds = contextAfterEdit(
    change,
    held,
    () => textOnDisk(touching.place.root, body.path),
    touching.key,
  );
  return holds.length === 0 ? observation : { ...observation, body: { ...body, holds } };
}

/** What a hook may read of the log: enough for some hundred events, and read within a few milliseconds. */
const tailBytes = 512 * 1024;

/** From the end of the log: a hook has no time for the index. What lies further back is not known to be held. */
function piecesOf({ body }: Observation & { kind: 'edit' }, touching: Touching): PieceInContext[] {
  const { log, place, agentSession } = touching;
  const [file, end] = Object.entries(log.end()).at(-1) ?? ['', 0];
  const steps = [];
  for (const { entry } of log.read({ ...log.end(), [file]: Math.max(0, end - tailBytes) })) {
    if (entry.kind !== 'event' || entry.event.agentSession !== agentSession) continue;
    const step = memoStepOf(entry.event);
    if (step !== undefined) steps.push(step);
  }
  const path = pathInCheckout(body.path, place.root);
  const held = contentsAfter(steps.sort(inOrder), body.subagent?.id ?? '');
  return held.files.get(fileKey(place.checkout, path))?.pieces ?? [];
}
