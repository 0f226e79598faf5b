import { catchUp } from '../recall/catch-up.ts';
import { quickLimits, withIndex, withoutMeaning } from '../recall/with-index.ts';
import { drainLimits, renderPrelude } from './drain.ts';
import type { NoteParts } from './notes/remember.ts';
import { muteLine } from './prelude/muted-lines.ts';
import { removePrelude } from './prelude/prelude-file.ts';
import type { OpenProject } from './projects/open-project.ts';
import { writeProjectRules } from './rules/project-rules.ts';
import { waitForWriter } from './wait-for-writer.ts';

const lockWaitMs = 5_000;

/** Renders the prelude now instead of at the next drain, after the user decided about notes that it may contain. */
export async function refreshPrelude(parts: OpenProject): Promise<void> {
  const writing = await waitForWriter(parts, lockWaitMs);
  if (writing === undefined) {
    // A drain is running, and renders the prelude when it ends. Until then no prelude is better than a wrong one. Rules
    // need no index, and calls that they forbid are denied meanwhile.
    removePrelude(parts.paths.project(parts.project));
    await writeProjectRules(parts);
    return;
  }
  try {
    await catchUp(parts, writing.index, drainLimits);
    await renderPrelude(parts, writing.index);
  } finally {
    await writing.close();
  }
}

/** Mutes a line that tells no note, or tells it again, from the next session on. */
export async function muteLineNow(
  parts: OpenProject,
  notes: NoteParts,
  line: string,
  isMuted: boolean,
): Promise<void> {
  await withIndex(withoutMeaning(parts), quickLimits, (index) => muteLine(notes, index, line, isMuted));
  await refreshPrelude(parts);
}
