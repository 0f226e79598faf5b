import type { NoteSource } from '../../src/wire/answers/memory.ts';
import type { OpenedNote as Page } from '../../src/wire/answers/sessions.ts';
import { api } from '../api.ts';
import { mayApprove } from '../overview.ts';
import { AgentMark, FreshnessBadge, KindBadge, meaningOf } from '../parts/badges.tsx';
import { CodePair } from '../parts/code-pair.tsx';
import { Disputes } from '../parts/disputes.tsx';
import { Fact } from '../parts/fact.tsx';
import { Paths } from '../parts/file-name.tsx';
import { eventLink } from '../parts/hit-link.ts';
import { Icon } from '../parts/icon.tsx';
import { Matchers } from '../parts/matchers.tsx';
import { MemoryLine, MemoryText, NoteLink } from '../parts/memory-text.tsx';
import { NoteActions } from '../parts/note-actions.tsx';
import { ReadOnly } from '../parts/read-only.tsx';
import { sourceOf } from '../parts/source.ts';
import { Standing } from '../parts/standing.tsx';
import { Loaded } from '../parts/states.tsx';
import { Age } from '../parts/time.tsx';
import { useDecision } from '../parts/toast.tsx';
import { actionWords, TopicStory } from '../parts/topic-story.tsx';
import { useTitle } from '../parts/use-title.ts';
import { useMemoryResource } from '../resource.ts';
import { linkTo, route } from '../router.ts';

/** The page of a topic: the statement, what was valid before, its evidence, its code then and now, its files. */
export function NotePage() {
  const id = route.value.rest;
  const page = useMemoryResource(() => api.note(id), [id]);
  return <Loaded of={page}>{(value) => <Body page={value} />}</Loaded>;
}

const stateWords: Record<string, string> = {
  candidate: 'Proposed, not reviewed',
  active: 'In use',
  superseded: 'Superseded',
  archived: 'Archived',
};

function Body({ page }: { page: Page }) {
  const { note, path, freshness, drift, code, sources, history, related, story, isMuted, team } = page;
  useTitle(note.title);
  // Hide a title that only repeats the beginning of the text.
  const isOwnTitle = !note.text.startsWith(note.title.replace(/…$/, '').trimEnd());
  const told = new Set(story.find(({ id }) => id === note.id)?.steps.map(({ action }) => action));
  const steps = history.filter(({ action }) => !told.has(action));
  return (
    <article class="note">
      <header class="note-head">
        <p class="hit-head">
          <KindBadge kind={note.kind} />
          <span class={`state state-${note.state}`}>
            {page.closedBy?.id === 'user' ? 'Withdrawn' : (stateWords[note.state] ?? note.state)}
          </span>
          {note.pinned && (
            <span class="state">
              <Icon name="pin" /> Pinned
            </span>
          )}
          {isMuted && <span class="state">Not told here</span>}
          {team !== undefined && note.visibility === 'team' && <span class="state">Shared with {team}</span>}
          {note.everywhere !== undefined && <span class="state">Yours, in every project</span>}
        </p>
        <h1 class={isOwnTitle ? '' : 'unseen'}>
          <MemoryLine text={note.title} />
        </h1>
        <div class="verdict" data-freshness={freshness}>
          <FreshnessBadge label={freshness} />
          <span title={drift}>{meaningOf(freshness)}</span>
        </div>
        <Standing of={page} note={note} hasOwnAction={note.state === 'superseded'} />
        <Disputes of={note.disputes ?? []} />
        <Matchers of={note} />
      </header>
      <div class="note-columns">
        <div class="note-main" data-titled={isOwnTitle || undefined}>
          <MemoryText text={note.text} />
          {needsDecision(note) && <Decision note={note} />}
          {mayApprove.value && (
            <NoteActions key={note.id} note={note} isMuted={isMuted} {...(team && { team })} />
          )}
          {note.quote !== undefined && (
            <figure class="quote">
              <figcaption class="meta">
                {note.proposal === note.text ? 'You answered' : 'Your words'}
              </figcaption>
              <blockquote>
                <MemoryLine text={note.quote} />
              </blockquote>
            </figure>
          )}
          <TopicStory statements={story} here={note.id} />
          {sources.length > 0 && <Sources sources={sources} />}
          {note.files.length > 0 && (
            <section>
              <h2>Files</h2>
              <Paths paths={note.files} />
            </section>
          )}
        </div>
        <aside class="note-side" aria-label="About this note">
          <dl>
            <Fact name="Source">{sourceOf(note)}</Fact>
            {note.validTo !== '' && (
              <Fact name="Valid until">
                <Age at={note.validTo} />
              </Fact>
            )}
            {note.topic !== undefined && (
              <Fact name="Topic">
                <a href={linkTo('topics', '', { q: note.topic })}>
                  <MemoryLine text={note.topic} />
                </a>
              </Fact>
            )}
            {note.concepts.length > 0 && <Fact name="Concepts">{note.concepts.join(', ')}</Fact>}
            <Fact name="File">
              <code class="break" title={path}>
                {path.split(/[\\/]/).at(-1)}
              </code>
            </Fact>
          </dl>
          {steps.length > 0 && <History steps={steps} />}
        </aside>
        {code.length > 0 && (
          <section class="note-wide">
            <h2>Code then and now</h2>
            {code.map((one) => (
              <CodePair
                key={`${one.path} ${one.past?.startLine ?? ''} ${one.symbol ?? ''}`}
                code={one}
                verdict={freshness}
              />
            ))}
          </section>
        )}
        <div class="note-main">
          {related.length > 0 && (
            <section>
              <h2>Related</h2>
              <ul class="related">
                {related.map((other) => (
                  <li key={other.id}>
                    <KindBadge kind={other.kind} />
                    <NoteLink id={other.id} text={other.title} />
                    <span class="muted">{relationWords[other.relation] ?? other.relation}</span>
                  </li>
                ))}
              </ul>
            </section>
          )}
        </div>
      </div>
    </article>
  );
}

/** Whether the note is proposed, or somebody in the team says that it is wrong and nobody has answered. */
const needsDecision = ({ state, disputes = [] }: Page['note']): boolean =>
  state === 'candidate' ||
  (state === 'active'
    ? disputes.some(({ keptAt }) => keptAt === undefined)
    : disputes.some(({ isYours }) => isYours === true));

/** Buttons to accept or reject a proposed or disputed note. Accepting a disputed note keeps it. */
function Decision({ note }: { note: Page['note'] }) {
  const { isDecided, settle } = useDecision();
  if (isDecided) return null;
  if (!mayApprove.value) return <ReadOnly />;
  return (
    <div class="actions">
      <button type="button" class="primary" onClick={() => settle('Accepted', () => api.accept(note))}>
        Accept
      </button>
      <button type="button" onClick={() => settle('Rejected', () => api.reject(note))}>
        Reject
      </button>
    </div>
  );
}

const History = ({ steps }: { steps: Page['history'] }) => (
  <section>
    <h2>History</h2>
    <ol class="history">
      {steps.map(({ action, rev, at }) => (
        <li key={`${rev} ${action}`}>
          <span>{action === 'create' ? 'Saved as a note' : (actionWords[action] ?? action)}</span>
          <span class="muted">
            <Age at={at} />
          </span>
        </li>
      ))}
    </ol>
  </section>
);

const Sources = ({ sources }: { sources: NoteSource[] }) => (
  <section>
    <h2>Evidence</h2>
    <ul class="sources">
      {sources.map(({ id, agent, agentSession, kind, at, text }) => (
        <li key={id}>
          <AgentMark agent={agent} />
          <div>
            <p class="meta">
              <span>{kind}</span>
              <Age at={at} />
            </p>
            <a href={eventLink(id, agentSession)}>
              <MemoryLine text={text} />
            </a>
          </div>
        </li>
      ))}
    </ul>
  </section>
);

const relationWords: Record<string, string> = {
  'made-from': 'Made from',
  'part-of': 'Part of',
  'closed-by': 'Superseded by',
  earlier: 'Earlier statement',
  'same-files': 'About the same files',
};
