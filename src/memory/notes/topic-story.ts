import type { Note } from '../../domain/note.ts';
import type { StatementStory } from '../../wire/answers/sessions.ts';
import { toldSessions } from '../prelude/told-lines.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { earlierStatements } from './closing.ts';
import { historyOf } from './note-history.ts';
import { findSources, maxSources, sourceFor } from './note-sources.ts';

const maxStatements = 8;
const maxTextLength = 300;
/** What a person or a model did with a statement. When it ended is told by its time. */
const decisions = 'approve confirm edit share unshare pin unpin mute unmute reopen dispute'.split(' ');

/** How the statements on a topic came and went, oldest first: who said what when, and which sessions were told it. */
export async function topicStory(parts: OpenProject, note: Note, notes: Note[]): Promise<StatementStory[]> {
  const chain = [...laterStatements(note, notes), note, ...earlierStatements(note, notes)]
    .slice(0, maxStatements)
    .reverse();
  const sources = await findSources(
    parts,
    chain.flatMap(({ derivedFrom }) => derivedFrom.slice(0, maxSources)),
  );
  const sessions = await toldSessions(parts);
  return Promise.all(
    chain.map(async (one) => {
      const said = one.derivedFrom.flatMap((id) => sources.get(id) ?? []).sort((a, b) => a.at - b.at);
      const done = (await historyOf(parts, one)).filter(({ action }) => decisions.includes(action));
      const from = Date.parse(one.validFrom) || Date.parse(one.created);
      return {
        id: one.id,
        text: one.text.slice(0, maxTextLength),
        from,
        ...(one.validTo === '' ? {} : { to: Date.parse(one.validTo) }),
        ...(one.closedBy?.[0] === undefined ? {} : { closedBy: one.closedBy[0] }),
        steps: [
          ...(said.length === 0 ? [{ at: from, action: 'create' }] : []),
          ...said.map((source, at) => ({
            at: source.at,
            action: at === 0 ? 'say' : 'repeat',
            source: sourceFor(one, source),
          })),
          ...done.map(({ action, at }) => ({ at, action })),
        ].sort((a, b) => a.at - b.at),
        told: sessions
          .filter((session) => session.ids.includes(one.id))
          .map(({ agentSession, at }) => ({ agentSession, at })),
      };
    }),
  );
}

function laterStatements({ closedBy = [] }: Note, notes: Note[], seen: string[] = []): Note[] {
  const next = notes.find(({ id }) => closedBy.includes(id) && !seen.includes(id));
  return next === undefined ? [] : [...laterStatements(next, notes, [...seen, next.id]), next];
}
