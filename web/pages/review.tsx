import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { api } from '../api.ts';
import { useKeys } from '../keys.ts';
import { memoryChanges } from '../live.ts';
import { mayApprove } from '../overview.ts';
import { KindBadge, trustWords } from '../parts/badges.tsx';
import { MemoryLine, MemoryText } from '../parts/memory-text.tsx';
import { counted, grouped } from '../parts/numbers.ts';
import { ReadOnly } from '../parts/read-only.tsx';
import { Empty, Key, Loaded } from '../parts/states.tsx';
import { Age } from '../parts/time.tsx';
import { decideHere } from '../parts/toast.tsx';
import { chosenProject } from '../project.ts';
import { useResource } from '../resource.ts';
import { linkTo } from '../router.ts';
import type { Inbox, Note } from '../wire.ts';

/** What waits for my word? One key for each note; what was decided last can be taken back. */
export function ReviewPage() {
  const [pages, setPages] = useState(1);
  const inbox = useResource(() => api.inbox(pages), [chosenProject.value], [memoryChanges.value, pages]);
  return (
    <Loaded of={inbox}>{(value) => <ReviewList inbox={value} onMore={() => setPages(pages + 1)} />}</Loaded>
  );
}

interface Waiting {
  note: Note;
  /** What says the opposite, if that is why it is here. */
  against?: Note;
}

const waitingOf = ({ candidates, contradictions }: Inbox): Waiting[] => [
  ...contradictions.map(([note, against]): Waiting => ({ note, against })),
  ...candidates.map((note): Waiting => ({ note })),
];

function ReviewList({ inbox, onMore }: { inbox: Inbox; onMore(): void }) {
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set());
  const [chosenId, choose] = useState('');
  /** As it was when somebody began to write: what is saved is a new text for that, and not for what it became. */
  const [edited, edit] = useState<Waiting | undefined>(undefined);
  const all = waitingOf(inbox);
  const waiting = all.filter(({ note }) => !decided.has(note.id));
  const left = inbox.total + inbox.contradictions.length - (all.length - waiting.length);
  const found = waiting.findIndex(({ note }) => note.id === chosenId);
  const before = useRef(0);
  const at = found === -1 ? Math.min(before.current, waiting.length - 1) : found;
  const here = edited ?? waiting[at];
  // What comes in meanwhile, above it or in its place, does not change what the keys are about.
  useLayoutEffect(() => {
    before.current = Math.max(0, at);
    choose(here?.note.id ?? '');
  }, [at, here?.note.id]);
  const list = useRef<HTMLUListElement>(null);
  const proposal = useRef<HTMLElement>(null);
  useEffect(() => {
    // Where the list has no window of its own, this would scroll the proposal away that stands above it.
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
  const settle = (said: string, carryOut: () => Promise<unknown>) => {
    if (here === undefined) return;
    const { id } = here.note;
    const next = waiting[at + 1] ?? waiting[at - 1];
    setDecided(new Set([...decided, id]));
    open(next?.note.id ?? '');
    const putBack = () => {
      setDecided((before) => new Set([...before].filter((one) => one !== id)));
      choose(id);
    };
    decideHere(said, carryOut, putBack);
  };
  const { against } = here ?? {};
  const accept = () =>
    here && settle(against === undefined ? 'Accepted' : 'Kept', () => api.accept(here.note, against));
  const keepOther = () =>
    here && against && settle('The other is kept', () => api.accept(against, here.note));
  const reject = () => here && settle('Rejected', () => api.reject(here.note));
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
    // Whoever writes has not decided yet.
    ...(edited === undefined && mayApprove.value
      ? { a: () => accept(), o: () => keepOther(), r: () => reject(), e: () => edit(here) }
      : {}),
  });
  return (
    <>
      <header class="page-head">
        <div>
          <h1>Review</h1>
          <p class="lead">
            {waiting.length === 0
              ? 'What waits for my word?'
              : `${counted(left, 'note')} waiting for your word`}
          </p>
        </div>
      </header>
      {here === undefined ? (
        <Empty icon="review" title="Nothing waits for your word">
          <p>What agents propose is shown here before any session is told it as fact.</p>
        </Empty>
      ) : (
        <div class="desk">
          <ul class="inbox" ref={list} aria-label="Waiting">
            {waiting.map(({ note, against }) => (
              <li key={note.id}>
                <button
                  type="button"
                  aria-current={note.id === here.note.id ? 'true' : undefined}
                  onClick={() => open(note.id)}
                >
                  <span class="inbox-head">
                    <KindBadge kind={note.kind} />
                    {against !== undefined && <span class="bad">contradicts</span>}
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
                <span>{trustWords(here.note.trust)}</span>
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
            {against !== undefined && (
              <blockquote class="against">
                <p class="meta">
                  <span>Another note says</span>
                  <Age at={against.updated} />
                </p>
                <a href={linkTo('note', against.id)}>
                  <MemoryLine text={against.text} />
                </a>
              </blockquote>
            )}
            {here.note.files.length > 0 && (
              <p class="paths">
                {here.note.files.slice(0, 5).map((path) => (
                  <code key={path}>{path}</code>
                ))}
              </p>
            )}
            {!mayApprove.value && <ReadOnly />}
            {edited === undefined && mayApprove.value && (
              <div class="actions">
                <button type="button" class="primary" onClick={accept}>
                  {against === undefined ? 'Accept' : 'Keep this one'} <Key of="a" />
                </button>
                {against !== undefined && (
                  <button type="button" onClick={keepOther}>
                    Keep the other <Key of="o" />
                  </button>
                )}
                <button type="button" onClick={() => edit(here)}>
                  Edit <Key of="e" />
                </button>
                <button type="button" onClick={reject}>
                  Reject <Key of="r" />
                </button>
                <a class="button quiet" href={linkTo('note', here.note.id)}>
                  Open
                </a>
              </div>
            )}
          </section>
        </div>
      )}
    </>
  );
}

/** What was written and neither saved nor given up, by note: a look at another one, an undo or a refusal loses nothing. */
const drafts = new Map<string, string>();

function Editor({ note, onSave, onCancel }: { note: Note; onSave(text: string): void; onCancel(): void }) {
  const { id, text } = note;
  const field = useRef<HTMLTextAreaElement>(null);
  // Not after the next paint: the first letters belong in the field, and not to the page's keys.
  useLayoutEffect(() => field.current?.focus(), []);
  const save = () => onSave(field.current?.value ?? text);
  const cancel = () => {
    drafts.delete(id);
    onCancel();
  };
  return (
    <form
      class="editor"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <label>
        <span class="unseen">The note’s text</span>
        <textarea
          ref={field}
          dir="auto"
          rows={8}
          defaultValue={drafts.get(id) ?? text}
          onInput={(event) => drafts.set(id, event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') cancel();
            else if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) save();
          }}
        />
      </label>
      <div class="actions">
        <button type="submit" class="primary">
          Save and accept <Key of="⌘ Enter" />
        </button>
        <button type="button" onClick={cancel}>
          Cancel <Key of="Esc" />
        </button>
      </div>
    </form>
  );
}
