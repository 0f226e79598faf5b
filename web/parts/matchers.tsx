import type { Note } from '../../src/wire/answers/memory.ts';
import { MemoryLine } from './memory-text.tsx';

type Match = NonNullable<Note['match']>;

/** Which tool calls go against a note, and which its writer proposes. */
export const Matchers = ({ of: note }: { of: Note }) => (
  <>
    <List of={note.match ?? {}} title={note.enforced === true ? 'Denied' : 'Agents are told this before'} />
    <List of={note.proposedMatch ?? {}} title="If you accept it, agents are told this before" />
  </>
);

function List({ of: match, title }: { of: Match; title: string }) {
  const lines = Object.entries(match).flatMap(([kind, values = []]) =>
    values.map((value) => `${kind} ${value}`),
  );
  return lines.length === 0 ? null : (
    <div class="callout">
      <p class="meta">{title}</p>
      {lines.map((line) => (
        <p key={line}>
          <code>
            <MemoryLine text={line} />
          </code>
        </p>
      ))}
    </div>
  );
}
