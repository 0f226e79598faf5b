import { readJson, writeJson } from '../../base/files.ts';
import type { ProjectPaths } from '../../base/paths.ts';
import { stepsOf } from '../../memo/steps.ts';
import { harmlessLine } from '../../text/fence.ts';
import type { SessionStory } from '../../wire/answers/sessions.ts';
import { findSources } from '../notes/note-sources.ts';
import type { OpenProject } from '../projects/open-project.ts';
import type { PreludeLine } from './prelude-file.ts';

/**
 * Which notes and events the prelude told, since when: ids only, so that nothing forgotten stays. With the starts of sessions it
 * says what each of them was told. Losing the file loses only this view.
 */
interface ToldFile {
  v: 2;
  renderings: { at: number; ids: string[] }[];
}

const maxRenderings = 500;
const maxLineLength = 300;

const readTold = (path: string): ToldFile['renderings'] => {
  const file = readJson<ToldFile>(path);
  return file?.v === 2 ? file.renderings : [];
};

export function recordTold(
  { toldLines }: Pick<ProjectPaths, 'toldLines'>,
  at: number,
  lines: PreludeLine[],
): void {
  const ids = lines.flatMap(({ note, event }) => note ?? event ?? []);
  const before = readTold(toldLines);
  if (before.at(-1)?.ids.join() === ids.join()) return;
  const renderings = [...before, { at, ids }].slice(-maxRenderings);
  writeJson(toldLines, { v: 2, renderings } satisfies ToldFile);
}

/** The starts of sessions with a prelude, newest first, and the notes and events that each was told. */
export async function toldSessions(parts: OpenProject) {
  const renderings = readTold(parts.paths.project(parts.project).toldLines);
  const { steps } = await stepsOf(parts, {
    kinds: ['session'],
    since: renderings[0]?.at ?? parts.clock.now(),
  });
  return steps
    .flatMap((step) => {
      if (step.kind !== 'session' || step.phase !== 'start' || step.preludeTokens === 0) return [];
      const shown = renderings.findLast(({ at }) => at <= step.at);
      return shown === undefined
        ? []
        : [{ agentSession: step.agentSession, at: step.at, tokens: step.preludeTokens, ids: shown.ids }];
    })
    .reverse();
}

/** Oldest first. What was forgotten since is left out. */
export async function toldAtStarts(parts: OpenProject, agentSession: string): Promise<SessionStory['told']> {
  const starts = (await toldSessions(parts)).filter((start) => start.agentSession === agentSession).reverse();
  if (starts.length === 0) return [];
  const notes = new Map((await parts.notes.list()).map((note) => [note.id, note]));
  const events = await findSources(
    parts,
    starts.flatMap(({ ids }) => ids.filter((id) => !notes.has(id))),
  );
  return starts.map(({ at, tokens, ids }) => ({
    at,
    tokens,
    lines: ids.flatMap((id): SessionStory['told'][number]['lines'] => {
      const [note, event] = [notes.get(id), events.get(id)];
      if (note !== undefined) return [{ id, kind: note.kind, text: note.title }];
      if (event === undefined) return [];
      const { kind, text } = event;
      return [{ id, kind, text: harmlessLine(text, maxLineLength), agentSession: event.agentSession }];
    }),
  }));
}
