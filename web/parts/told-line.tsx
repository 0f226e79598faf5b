import { useState } from 'preact/hooks';
import type { SourcedLine as Line, Note, NoteSource } from '../../src/wire/answers/memory.ts';
import { api } from '../api.ts';
import { useKeys } from '../keys.ts';
import { mayApprove } from '../overview.ts';
import { linkTo } from '../router.ts';
import { keysOf } from './actions.tsx';
import { Evidence } from './evidence.tsx';
import { eventLink } from './hit-link.ts';
import { Icon } from './icon.tsx';
import { MemoryLine } from './memory-text.tsx';
import { useNoteForm } from './note-form.tsx';
import { Key } from './states.tsx';

export interface ToldLineProps {
  line: Line;
  isChosen: boolean;
  /** Whether the next line has the same reason and evidence, which are then shown there. */
  isJoined?: boolean;
  /** Called when the server has applied a decision. */
  onDecided(): void;
}

/** A line that the next session is told, with its evidence and what the user can do about it. */
export function ToldLine({ line, isChosen, isJoined = false, onDecided }: ToldLineProps) {
  const { note, source, text, reason } = line;
  const link = sourceLink(line);
  const [isOpen, setOpen] = useState(false);
  const { decided, fields, ...handlers } = useNoteForm(note, 'What should sessions be told?', onDecided);
  const actions = mayApprove.value ? actionsOf(line, handlers) : [];
  useKeys(isChosen && fields === undefined && decided === undefined ? keysOf(actions) : {});
  if (decided?.isTold === false) return null;
  const words = (
    <MemoryLine text={decided?.text ?? (note === undefined ? text : text.replace(/ \[\w{8}\]$/, ''))} />
  );
  return (
    <li
      class="told"
      data-row={note !== undefined || line.line !== undefined || undefined}
      data-chosen={isChosen || undefined}
      data-open={fields !== undefined || undefined}
      data-joined={isJoined || undefined}
    >
      <p class="told-text">
        {(decided?.pinned ?? note?.pinned) && <Icon name="pin" />}
        {link === undefined ? words : <a href={link}>{words}</a>}
      </p>
      <div class="told-foot">
        <p class="told-why">
          {!isJoined && <span>{withoutDay(reason)}</span>}
          {!isJoined && source !== undefined && (
            <Evidence source={isShown(note, source) ? { ...source, text: '' } : source} />
          )}
        </p>
        {actions.length > 0 && fields === undefined && (
          <div class="told-actions" data-open={isOpen || undefined}>
            <button
              type="button"
              class="quiet told-dots"
              aria-label="Actions"
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              <Icon name="more" />
            </button>
            <div class="told-buttons">
              {actions.map(({ name, key, title, run }) => (
                <button key={name} type="button" class="quiet" title={title} onClick={run}>
                  {name} {isChosen && <Key of={key} />}
                </button>
              ))}
            </div>
          </div>
        )}
      </div>
      {fields}
    </li>
  );
}

type Handlers = Pick<ReturnType<typeof useNoteForm>, 'settle' | 'start'>;

/** The page of the note, or the turn of the event. A line about the memory as a whole has none. */
export function sourceLink({ note, source }: Line): string | undefined {
  if (note !== undefined) return linkTo('note', note.id);
  return source && eventLink(source.id, source.agentSession);
}

function actionsOf({ note, line }: Line, { settle, start }: Handlers) {
  if (note !== undefined) return noteActions(note, { settle, start });
  if (line === undefined) return [];
  const mute = () => settle('Not told any more', () => api.muteLine(line, true));
  return [{ name: 'Not this', key: 'n', title: 'Do not tell it to sessions of this project', run: mute }];
}

const noteActions = (note: Note, { settle, start }: Handlers) => [
  { name: 'Wrong', key: 'w', title: 'It is not true. Withdraw or replace it.', run: () => start('wrong') },
  { name: 'Edit', key: 'e', title: 'Change its text', run: () => start('edit') },
  {
    name: note.pinned ? 'Unpin' : 'Pin',
    key: 'p',
    title: note.pinned ? 'Give it no place of its own' : 'Always tell it, before the others',
    run: () =>
      settle(note.pinned ? 'Unpinned' : 'Pinned', () => api.pin(note, !note.pinned), {
        isTold: true,
        pinned: !note.pinned,
      }),
  },
  {
    name: 'Not here',
    key: 'n',
    title: 'Do not tell it to sessions of this project. It stays valid, and search finds it.',
    run: () => settle('No longer told here', () => api.mute(note, true)),
  },
];

/** Whether the line or its reason has the words of the source already. */
const isShown = (note: Note | undefined, source: NoteSource): boolean =>
  note !== undefined && (note.quote !== undefined || source.text.includes(note.text));

/** The page shows the age of the evidence, so the day is left out. */
const withoutDay = (reason: string): string => {
  const words = reason.replace(/^\d{4}-\d\d-\d\d, /, '');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
