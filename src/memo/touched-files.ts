import type { Observation } from '../agents/agent.ts';
import { pathInCheckout } from '../base/path-in-checkout.ts';
import { inOrder } from '../domain/memo.ts';
import type { Place } from '../domain/project.ts';
import { memoStepOf } from '../recall/memo-step-record.ts';
import type { EventLog } from '../store/events/event-log.ts';
import { contentsAfter, fileKey, type PieceInContext } from './context-contents.ts';
import { readsByCommand, textOnDisk, withShownLines } from './lines-in-output.ts';
import { contextAfterEdit } from './pieces-after-edit.ts';

export interface TouchContext {
  place: Pick<Place, 'root' | 'checkout'>;
  cwd: string;
  agentSession: string;
  log: EventLog;
  key: string;
}

/** Adds what only the hook can find out, while files are as the agent saw or left them. */
export const touchedFiles = (observations: Observation[], context: TouchContext): Observation[] =>
  observations.flatMap((observation) => {
    const { root } = context.place;
    if (observation.kind === 'edit') return [withKeptPieces(observation, context)];
    const location = { root, cwd: observation.cwd ?? context.cwd };
    return [withShownLines(observation, root), ...readsByCommand(observation, location)];
  });

function withKeptPieces(observation: Observation & { kind: 'edit' }, context: TouchContext): Observation {
  const { change, body } = observation;
  if (change === undefined) return observation;
  const known = change.kind === 'written' ? [] : piecesOf(observation, context);
  const holds = contextAfterEdit(change, known, () => textOnDisk(context.place.root, body.path), context.key);
  return holds.length === 0 ? observation : { ...observation, body: { ...body, holds } };
}

/** How much of the log a hook reads: a few hundred events, in a few milliseconds. */
const tailBytes = 512 * 1024;

/** A hook has no time to open the index, so pieces from before the end of the log count as unknown. */
function piecesOf({ body }: Observation & { kind: 'edit' }, context: TouchContext): PieceInContext[] {
  const { log, place, agentSession } = context;
  const [file, end] = Object.entries(log.end()).at(-1) ?? ['', 0];
  const steps = [];
  for (const { entry } of log.read({ ...log.end(), [file]: Math.max(0, end - tailBytes) })) {
    if (entry.kind !== 'event' || entry.event.agentSession !== agentSession) continue;
    const step = memoStepOf(entry.event);
    if (step !== undefined) steps.push(step);
  }
  const path = pathInCheckout(body.path, place.root);
  const contents = contentsAfter(steps.sort(inOrder), body.subagent?.id ?? '');
  return contents.files.get(fileKey(place.checkout, path))?.pieces ?? [];
}
