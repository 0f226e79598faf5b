import type { Note } from '../domain/note.ts';
import type { NoteParts } from '../memory/notes/remember.ts';
import { type Decision, recordDecision, takeBack } from '../memory/notes/review.ts';
import { notePartsFor, type RequestedProject } from './parts.ts';

/** The newest decisions of persons on notes, by the id of the note, as long as this server runs. */
const decisions = new Map<string, Decision>();
const maxDecisions = 1_000;

/** Carries out a decision on a note so that `undoDecision` can take it back. */
export async function decideOn<Result>(
  parts: NoteParts,
  id: string,
  carryOut: () => Result,
): Promise<Awaited<Result>> {
  const { result, decision } = await recordDecision(parts, carryOut);
  decisions.delete(id);
  decisions.set(id, decision);
  for (const oldest of decisions.keys()) {
    if (decisions.size <= maxDecisions) break;
    decisions.delete(oldest);
  }
  return result;
}

/** Undefined if the decision is not known, or if something that it changed has changed since. */
export async function undoDecision(named: RequestedProject, id: string): Promise<Note | undefined> {
  const parts = notePartsFor(named);
  const decision = decisions.get(id);
  const { device } = named.parts;
  if (decision === undefined || !(await takeBack(parts, decision, { device, context: parts.context })))
    return undefined;
  decisions.delete(id);
  return parts.notes.get(id);
}
