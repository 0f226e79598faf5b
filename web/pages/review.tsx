import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Note, NoteSource, ReviewDesk } from '../../src/wire/answers/memory.ts';
import { api } from '../api.ts';
import { useKeys } from '../keys.ts';
import { mayApprove } from '../overview.ts';
import { type Action, Actions, keysOf } from '../parts/actions.tsx';
import { agentName } from '../parts/agents.ts';
import { KindBadge } from '../parts/badges.tsx';
import { Disputes } from '../parts/disputes.tsx';
import { wordOf } from '../parts/evidence.tsx';
import { Paths } from '../parts/file-name.tsx';
import { eventLink } from '../parts/hit-link.ts';
import { Matchers } from '../parts/matchers.tsx';
import { MemoryLine, MemoryText, NoteLink } from '../parts/memory-text.tsx';
import { NextSteps } from '../parts/next-steps.tsx';
import { counted, grouped } from '../parts/numbers.ts';
import { PageHead } from '../parts/page-head.tsx';
import { ReadOnly } from '../parts/read-only.tsx';
import { sourceOf } from '../parts/source.ts';
import { Empty, Key, Loaded } from '../parts/states.tsx';
import { TextForm } from '../parts/text-form.tsx';
import { Age } from '../parts/time.tsx';
import { decideNow } from '../parts/toast.tsx';
import { useMemoryResource } from '../resource.ts';
import { linkTo, route } from '../router.ts';

/** Pages of proposals that are searched for those of one session. */
const sessionPages = 10;

/** The proposals that were made from one agent session. */
function inboxOf({ items }: ReviewDesk, session: string): ReviewDesk {
  const own = items.filter(({ source }) => source?.agentSession === session);
  return { items: own, total: own.length, changes: [] };
}

/** The review queue: one key decides on a note, and the last decisions can be undone. */
export function ReviewPage() {
  const [pages, setPages] = useState(1);
  const session = route.value.query.get('session') ?? '';
  const wanted = session === '' ? pages : Math.max(pages, sessionPages);
  const inbox = useMemoryResource(() => api.inbox(wanted), [], [wanted]);
  return (
    <Loaded of={inbox}>
      {(value) => (
        <ReviewList
          key={session}
          inbox={session === '' ? value : inboxOf(value, session)}
          isOneSession={session !== ''}
          onMore={() => setPages(pages + 1)}
        />
      )}
    </Loaded>
  );
}

interface Waiting {
  note: Note;
  /** The event that the note was made from. */
  source?: NoteSource | undefined;
  /** The later note that may have changed this one. */
  later?: Note;
}

const waitingOf = ({ items, changes }: ReviewDesk): Waiting[] => [
  ...changes.map(([note, later]): Waiting => ({ note, later })),
  ...items,
];

interface ReviewProps {
  inbox: ReviewDesk;
  isOneSession: boolean;
  onMore(): void;
}

function ReviewList({ inbox, isOneSession, onMore }: ReviewProps) {
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set());
  const [chosenId, choose] = useState('');
  /** The note as it was when editing started, so that saving conflicts if it has changed since. */
  const [edited, edit] = useState<Waiting | undefined>(undefined);
  const all = waitingOf(inbox);
  const waiting = all.filter(({ note }) => !decided.has(note.id));
  const left = inbox.total + inbox.changes.length - (all.length - waiting.length);
  const found = waiting.findIndex(({ note }) => note.id === chosenId);
  const before = useRef(0);
  const at = found === -1 ? Math.min(before.current, waiting.length - 1) : found;
  const here = edited ?? waiting[at];
  // Keep the selection when new notes arrive above it.
  useLayoutEffect(() => {
    before.current = Math.max(0, at);
    choose(here?.note.id ?? '');
  }, [at, here?.note.id]);
  const list = useRef<HTMLUListElement>(null);
  const proposal = useRef<HTMLElement>(null);
  useEffect(() => {
    // If the list does not scroll by itself, scrolling a row into view would move the proposal off the screen.
    const own = list.current;
    if (own !== null && own.scrollHeight > own.clientHeight)
      own.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
    if ((proposal.current?.getBoundingClientRect().top ?? 0) < 0) proposal.current?.scrollIntoView();
  }, [here?.note.id]);
  const open = (id: string) => {
    edit(undefined);
    choose(id);
  };
  const step = (by: number) => {
    if (at + by >= waiting.length && left > waiting.length) onMore();
    open(waiting[Math.max(0, Math.min(waiting.length - 1, at + by))]?.note.id ?? '');
  };
  const settle = (
    message: string,
    carryOut: () => Promise<unknown>,
    all = [here],
    changed: (Pick<Note, 'id'> | undefined)[] = all.map((one) => one?.note),
  ) => {
    if (here === undefined) return;
    const ids = new Set(all.flatMap((one) => one?.note.id ?? []));
    const isLeft = ({ note }: Waiting): boolean => !ids.has(note.id);
    const next = waiting.slice(at).find(isLeft) ?? waiting.slice(0, at).findLast(isLeft);
    setDecided(new Set([...decided, ...ids]));
    open(next?.note.id ?? '');
    const putBack = () => {
      setDecided((before) => new Set([...before].filter((one) => !ids.has(one))));
      choose(here.note.id);
    };
    const takeBack = () => api.undo(changed.flatMap((note) => note?.id ?? []));
    decideNow(message, { carryOut, takeBack, putBack });
  };
  const session = here?.source?.agentSession ?? '';
  const ofSession = session === '' ? [] : waiting.filter(({ source }) => source?.agentSession === session);
  const decideSession = (verb: 'accept' | 'reject') => {
    if (ofSession.length < 2) return;
    const notes = ofSession.map(({ note }) => note);
    const said = `${verb === 'accept' ? 'Accepted' : 'Rejected'} ${counted(notes.length, 'note')}`;
    settle(said, () => api.decideAll(verb, notes), ofSession);
  };
  const { later } = here ?? {};
  const decisions: Action[] = [];
  if (here !== undefined && edited === undefined && mayApprove.value) {
    const holds = later === undefined ? 'Accept' : 'It still holds';
    decisions.push({
      name: holds,
      key: 'a',
      look: 'primary',
      run: () => settle(later === undefined ? 'Accepted' : holds, () => api.accept(here.note)),
    });
    if (later !== undefined)
      decisions.push({
        name: 'The later note replaces it',
        key: 'o',
        run: () => settle('The later note replaces it', () => api.accept(later, here.note), [here], [later]),
      });
    decisions.push({ name: 'Edit', key: 'e', run: () => edit(here) });
    decisions.push({ name: 'Reject', key: 'r', run: () => settle('Rejected', () => api.reject(here.note)) });
  }
  const save = (text: string) =>
    here &&
    settle('Edited and accepted', async () => {
      await api.edit(here.note, text);
      drafts.delete(here.note.id);
    });
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    // While the user edits, the keys for decisions are part of the text.
    ...keysOf(decisions),
    ...(decisions.length > 0 ? { A: () => decideSession('accept'), R: () => decideSession('reject') } : {}),
  });
  return (
    <>
      <PageHead
        title="Review"
        lead={
          waiting.length === 0
            ? 'What needs my review?'
            : `${counted(left, 'note')} to review${isOneSession ? ', from one session' : ''}`
        }
      >
        {isOneSession ? (
          <a class="button quiet" href={linkTo('review')}>
            Show all
          </a>
        ) : (
          <SessionLinks waiting={waiting} />
        )}
      </PageHead>
      {here === undefined ? (
        <Empty icon="review" title={isOneSession ? 'Nothing left of this session' : 'Nothing to review'}>
          <p>Notes proposed by agents appear here. Until you accept one, no session starts with it.</p>
          <NextSteps except="backstory review" />
        </Empty>
      ) : (
        <div class="desk">
          <ul class="inbox" ref={list} aria-label="Notes to review">
            {waiting.map(({ note, later: changed }) => (
              <li key={note.id}>
                <button
                  type="button"
                  aria-current={note.id === here.note.id ? 'true' : undefined}
                  onClick={() => open(note.id)}
                >
                  <span class="inbox-head">
                    <KindBadge kind={note.kind} />
                    {changed !== undefined && <span class="bad">may have changed</span>}
                    {note.disputes !== undefined && <span class="bad">disputed</span>}
                    <Age at={note.updated} />
                  </span>
                  <MemoryLine text={note.title} />
                </button>
              </li>
            ))}
            {left > waiting.length && (
              <li>
                <button type="button" class="inbox-more" onClick={onMore}>
                  {`${grouped(left - waiting.length)} more`}
                </button>
              </li>
            )}
          </ul>
          <section class="proposal" ref={proposal} aria-label="Proposal">
            <p class="hit-head">
              <KindBadge kind={here.note.kind} />
              <span class="meta">
                <span>{sourceOf(here.note)}</span>
                <Age at={here.note.updated} />
              </span>
            </p>
            {edited !== undefined ? (
              <Editor
                key={edited.note.id}
                note={edited.note}
                onSave={save}
                onCancel={() => edit(undefined)}
              />
            ) : (
              <MemoryText key={here.note.id} text={here.note.text} />
            )}
            <Disputes of={here.note.disputes ?? []} />
            <Matchers of={here.note} />
            {here.source !== undefined && <Origin source={here.source} />}
            {later !== undefined && (
              <blockquote class="against">
                <p class="meta">
                  <span>You said later</span>
                  <Age at={later.updated} />
                </p>
                <NoteLink id={later.id} text={later.text} />
                <Matchers of={later} />
              </blockquote>
            )}
            <Paths paths={here.note.files} shown={5} />
            {!mayApprove.value && <ReadOnly />}
            {decisions.length > 0 && (
              <Actions of={decisions}>
                <a class="button quiet" href={linkTo('note', here.note.id)}>
                  Open
                </a>
              </Actions>
            )}
            {decisions.length > 0 && ofSession.length > 1 && (
              <div class="whole-session">
                <span class="muted">{counted(ofSession.length, 'note')} from this session:</span>
                <button type="button" onClick={() => decideSession('accept')}>
                  Accept all <Key of="A" />
                </button>
                <button type="button" onClick={() => decideSession('reject')}>
                  Reject all <Key of="R" />
                </button>
              </div>
            )}
          </section>
        </div>
      )}
    </>
  );
}

const shownSessions = 2;

/** Links to the sessions with the most proposals, each of which can be decided at once. */
function SessionLinks({ waiting }: { waiting: Waiting[] }) {
  const sessions = [...Map.groupBy(waiting, ({ source }) => source?.agentSession ?? '')]
    .filter(([session, own]) => session !== '' && own.length > 1)
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, shownSessions);
  if (sessions.length === 0) return null;
  return (
    <p class="actions">
      {sessions.map(([session, own]) => (
        <a key={session} class="more-link" href={linkTo('review', '', { session })}>
          {own.length} from one session of {agentName(own[0]?.source?.agent ?? '')}
        </a>
      ))}
    </p>
  );
}

/** The event that a proposal was made from, as it was said. */
const Origin = ({ source: { id, kind, agent, agentSession, at, text } }: { source: NoteSource }) => (
  <figure class="quote">
    <figcaption class="meta">
      <span>
        {wordOf(kind)}, <Age at={at} />, {agentName(agent)}
      </span>
      <a class="more-link" href={eventLink(id, agentSession)}>
        Open the turn
      </a>
    </figcaption>
    <blockquote>
      <MemoryLine text={text} />
    </blockquote>
  </figure>
);

/** Unsaved text by note id, so that looking at another note, an undo or a conflict loses nothing. */
const drafts = new Map<string, string>();

function Editor({
  note: { id, text },
  onSave,
  onCancel,
}: {
  note: Note;
  onSave(text: string): void;
  onCancel(): void;
}) {
  const [draft, write] = useState(drafts.get(id) ?? text);
  return (
    <TextForm
      label="Text of the note"
      text={draft}
      action="Save and accept"
      onText={(typed) => {
        drafts.set(id, typed);
        write(typed);
      }}
      onSubmit={() => onSave(draft)}
      onCancel={() => {
        drafts.delete(id);
        onCancel();
      }}
    />
  );
}
