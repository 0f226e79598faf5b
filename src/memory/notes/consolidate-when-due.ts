import type { LogIndex } from '../../store/store.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { consolidate } from './consolidate.ts';

/**
 * Key under which the index stores when notes were last combined into themes. If the index is rebuilt, this is lost
 * and the notes are combined once more, which is harmless.
 */
const mark = 'consolidate';

/**
 * Combines notes into themes once per `every` agent sessions. In between, existing themes only follow changes of their
 * source notes.
 */
export async function consolidateWhenDue(
  parts: OpenProject,
  index: LogIndex,
  every: number,
): Promise<number> {
  const sessions = (await index.sessionStates()).length;
  const last = Number((await index.transcriptStamps()).get(mark) ?? 0);
  const isDue = every > 0 && Math.abs(sessions - last) >= every;
  const { made, changed, dissolved } = await consolidate(parts, index, { mayGrow: isDue });
  if (isDue) await index.markTranscript(mark, String(sessions));
  return made.length + changed.length + dissolved.length;
}
