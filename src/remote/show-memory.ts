import { AppError } from '../base/errors.ts';
import { driftOfChunks } from '../drift/check-drift.ts';
import type { CheckedCode } from '../drift/current-code.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import { chunkOf, type Opened, openHit } from '../memory/sessions/open-hit.ts';
import { renderOpened } from '../memory/sessions/render-opened.ts';
import { cachedMemory, chunksOfMemory } from '../memory/team-cache.ts';
import { ageOf, kindLabel, shortHitId, sourceLabel } from '../recall/render.ts';
import type { RecallLimits } from '../recall/with-index.ts';
import { harmless, harmlessLine } from '../text/fence.ts';
import type { Drift } from '../wire/answers/memory.ts';
import type { CachedMemory } from '../wire/answers/team.ts';
import { maxCachedTextLength } from '../wire/answers/team-memory.ts';
import { wholeTeamMemory } from './ask-team.ts';
import { membershipOf } from './membership.ts';

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

export interface OpenedTeamMemory {
  memory: CachedMemory;
  name: string;
}

/**
 * Opens a memory of the team that recall or a prompt has named, by its id or the start of it. A long text is completed
 * from the server, if it answers; otherwise its start is shown.
 */
export async function openTeamMemory(parts: OpenProject, id: string): Promise<OpenedTeamMemory | undefined> {
  const membership = membershipOf(parts.paths, parts.project);
  if (membership === undefined) return undefined;
  const found = cachedMemory(parts.paths.project(parts.project).teamMemories, id);
  if (found === undefined) return undefined;
  const { name, memory } = found;
  if (memory !== undefined && memory.text.length < maxCachedTextLength) return { name, memory };
  const whole = (await wholeTeamMemory(parts, membership, found)) ?? memory;
  if (whole === undefined)
    throw new AppError('BACKEND_FAILURE', `${id} is a memory of team ${name}, whose server did not answer`, {
      hint: 'backstory team status',
      retryable: true,
    });
  return { name, memory: whole };
}

const maxLineLength = 300;

export function renderTeamMemory({ memory, name }: OpenedTeamMemory, project: string, now: number): string {
  const [chunk] = chunksOfMemory(memory, project, name);
  if (chunk === undefined) return '';
  const lists: [string, string[]][] = [
    ['files', memory.files],
    ['issues', memory.issues],
    ['commits', memory.commits],
  ];
  const isCut = memory.text.length === maxCachedTextLength;
  return [
    [kindLabel(chunk), ageOf(chunk.at, now), sourceLabel(chunk)].join(' · '),
    harmlessLine(`id ${shortHitId(chunk)}, ${memory.source} ${memory.sourceRef}`, maxLineLength),
    ...lists.flatMap(([title, values]) =>
      values.length === 0 ? [] : [harmlessLine(`${title}: ${values.join(', ')}`, maxLineLength)],
    ),
    '',
    harmless(memory.text),
    ...(isCut ? ['… The rest is on the team server, which did not answer.'] : []),
  ].join('\n');
}
