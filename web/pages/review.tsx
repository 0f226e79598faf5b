import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { api } from '../api.ts';
import { useKeys } from '../keys.ts';
import { memoryChanges } from '../live.ts';
import { KindBadge, trustWords } from '../parts/badges.tsx';
import { MemoryLine, MemoryText } from '../parts/memory-text.tsx';
import { counted, grouped } from '../parts/numbers.ts';
import { Empty, Key, Loaded } from '../parts/states.tsx';
import { Age } from '../parts/time.tsx';
import { decide } from '../parts/toast.tsx';
import { chosenProject } from '../project.ts';
import { useResource } from '../resource.ts';
import { linkTo } from '../router.ts';
import type { Inbox, Note } from '../wire.ts';

/** What waits for my word? One key for each note; what was decided last can be taken back. */
export function ReviewPage() {
  const inbox = useResource(api.inbox, [memoryChanges.value, chosenProject.value]);
  return <Loaded of={inbox}>{(value) => <Desk inbox={value} />}</Loaded>;
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

function Desk({ inbox }: { inbox: Inbox }) {
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set());
  const [chosenId, choose] = useState('');
  const [isEditing, setEditing] = useState(false);
  const all = waitingOf(inbox);
  const waiting = all.filter(({ note }) => !decided.has(note.id));
  const left = inbox.total + inbox.contradictions.length - (all.length - waiting.length);
  const at = Math.max(
    0,
    waiting.findIndex(({ note }) => note.id === chosenId),
  );
  const here = waiting[at];
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [here?.note.id]);
  const step = (by: number) =>
    choose(waiting[Math.max(0, Math.min(waiting.length - 1, at + by))]?.note.id ?? '');
  const settle = (said: string, carryOut: () => Promise<unknown>) => {
    if (here === undefined) return;
    const { id } = here.note;
    const next = waiting[at + 1] ?? waiting[at - 1];
    setDecided(new Set([...decided, id]));
    setEditing(false);
    choose(next?.note.id ?? '');
    const putBack = () => {
      setDecided((before) => new Set([...before].filter((one) => one !== id)));
      choose(id);
    };
    decide({ said, carryOut: () => void carryOut().catch(putBack), takeBack: putBack });
  };
  const { against } = here ?? {};
  const accept = () =>
    here && settle(against === undefined ? 'Accepted' : 'Kept', () => api.accept(here.note, against));
  const keepOther = () =>
    here && against && settle('The other is kept', () => api.accept(against, here.note));
  const reject = () => here && settle('Rejected', () => api.reject(here.note));
  const save = (text: string) => here && settle('Edited and accepted', () => api.edit(here.note, text));
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    a: () => accept(),
    o: () => keepOther(),
    r: () => reject(),
    e: () => setEditing(true),
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
                  aria-current={note === here.note ? 'true' : undefined}
                  onClick={() => choose(note.id)}
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
              <li class="muted inbox-more">{`${grouped(left - waiting.length)} more`}</li>
            )}
          </ul>
          <section class="proposal" aria-label="Proposal">
            <p class="hit-head">
              <KindBadge kind={here.note.kind} />
              <span class="meta">
                <span>{trustWords(here.note.trust)}</span>
                <Age at={here.note.updated} />
              </span>
            </p>
            {isEditing ? (
              <Editor
                key={here.note.id}
                text={here.note.text}
                onSave={save}
                onCancel={() => setEditing(false)}
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
            {!isEditing && (
              <div class="actions">
                <button type="button" class="primary" onClick={accept}>
                  {against === undefined ? 'Accept' : 'Keep this one'} <Key of="a" />
                </button>
                {against !== undefined && (
                  <button type="button" onClick={keepOther}>
                    Keep the other <Key of="o" />
                  </button>
                )}
                <button type="button" onClick={() => setEditing(true)}>
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

function Editor({ text, onSave, onCancel }: { text: string; onSave(text: string): void; onCancel(): void }) {
  const field = useRef<HTMLTextAreaElement>(null);
  // Not after the next paint: the first letters belong in the field, and not to the page's keys.
  useLayoutEffect(() => field.current?.focus(), []);
  const save = () => onSave(field.current?.value ?? text);
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
          defaultValue={text}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onCancel();
            else if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) save();
          }}
        />
      </label>
      <div class="actions">
        <button type="submit" class="primary">
          Save and accept <Key of="⌘ Enter" />
        </button>
        <button type="button" onClick={onCancel}>
          Cancel <Key of="Esc" />
        </button>
      </div>
    </form>
  );
}
