import type { Drift } from '../domain/anchor.ts';
import { driftOfChunks } from '../drift/check-drift.ts';
import type { CheckedCode } from '../drift/current-code.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import { chunkOf, type Opened, openHit } from '../memory/sessions/open-hit.ts';
import { renderOpened } from '../memory/sessions/render-opened.ts';
import type { RecallLimits } from '../recall/with-index.ts';
import { type OpenedTeamMemory, openTeamMemory, renderTeamMemory } from './open-team-memory.ts';

type Shown = { text: string } & (
  | { team: OpenedTeamMemory; opened?: undefined }
  | { team?: undefined; opened: Opened; drift: Drift | undefined }
);

/** Opens a memory of the team or of this machine by any id that recall shows, with its text in full. */
export async function showMemory(
  parts: OpenProject,
  id: string,
  limits: RecallLimits,
  code: CheckedCode,
): Promise<Shown> {
  const now = parts.clock.now();
  const team = await openTeamMemory(parts, id);
  if (team !== undefined) return { team, text: renderTeamMemory(team, parts.project, now) };
  const opened = await openHit(parts, id, limits);
  const chunk = chunkOf(opened, parts.project);
  const drift = chunk && (await driftOfChunks(parts, [chunk], limits, code)).get(chunk);
  return { opened, drift, text: renderOpened(opened, now, drift) };
}
