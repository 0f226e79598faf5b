import type { LogIndex } from '../../store/store.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { consolidate } from './consolidate.ts';

/** Kept in the index: after a rebuild themes are looked for once more, which is no harm. */
const mark = 'consolidate';

/** Every so many agent sessions notes are brought together; in between, themes only follow what they are made of. */
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
