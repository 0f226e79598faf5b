import { useSignal } from '@preact/signals';
import type { Note } from '../../src/wire/answers/memory.ts';
import { api } from '../api.ts';
import { useKeys } from '../keys.ts';
import { useResource } from '../resource.ts';
import { go, linkTo } from '../router.ts';
import { type Action, Actions, keysOf } from './actions.tsx';
import { KindBadge } from './badges.tsx';
import { Dialog } from './dialog.tsx';
import { MemoryLine } from './memory-text.tsx';
import { useNoteForm } from './note-form.tsx';
import { counted } from './numbers.ts';
import { Key, Loaded } from './states.tsx';

/** What the user can do with a note. A closed note can be reopened or forgotten. */
export function NoteActions({ note, isMuted, team }: { note: Note; isMuted: boolean; team?: string }) {
  const isShared = note.visibility === 'team';
  const isForgetting = useSignal(false);
  // The page loads the note again after a decision.
  const { decided, settle, start, fields } = useNoteForm(note, 'The text of the note', (again) => again());
  const isValid = note.state === 'active' || note.state === 'archived';
  // A teammate's note can be called wrong without accepting it first.
  const isTeams = note.derivedFrom[0]?.startsWith('team:') === true;
  const isTold = note.state === 'active' && note.trust >= 2;
  const actions: Action[] = [];
  if (isValid || (isTeams && note.state === 'candidate'))
    actions.push({ name: 'This is wrong', key: 'w', run: () => start('wrong') });
  if (note.state === 'superseded')
    actions.push({
      name: 'Still holds',
      key: 'o',
      run: () => settle('It still holds', () => api.reopen(note)),
    });
  else actions.push({ name: 'Edit', key: 'e', run: () => start('edit') });
  if (isValid)
    actions.push({
      name: note.pinned ? 'Unpin' : 'Pin',
      key: 'p',
      run: () => settle(note.pinned ? 'Unpinned' : 'Pinned', () => api.pin(note, !note.pinned)),
    });
  if (isTold)
    actions.push({
      name: isMuted ? 'Tell it here again' : 'Not here',
      key: 'n',
      run: () => settle(isMuted ? 'Told here again' : 'No longer told here', () => api.mute(note, !isMuted)),
    });
  if (isValid && team !== undefined)
    actions.push({
      name: isShared ? 'Take back from the team' : 'Share with the team',
      key: 's',
      run: () =>
        settle(isShared ? `Taken back from ${team}` : `Shared with ${team}`, () =>
          api.share(note, !isShared),
        ),
    });
  actions.push({
    name: 'Forget…',
    key: 'x',
    look: 'quiet',
    run: () => {
      isForgetting.value = true;
    },
  });
  useKeys(fields === undefined && decided === undefined ? keysOf(actions) : {});
  if (decided !== undefined)
    return <p class="muted">{decided.message}. This page shows it once it can no longer be undone.</p>;
  const forget = () => {
    isForgetting.value = false;
    settle('Forgotten', async () => {
      await api.forget(note.id);
      go(linkTo('topics'));
    });
  };
  return (
    <>
      {fields ?? (
        <div class="note-actions">
          <Actions of={actions}>
            {isValid && team === undefined && (
              <p class="muted">
                To share notes with a team, in a terminal: <code>backstory team join URL</code>
              </p>
            )}
          </Actions>
        </div>
      )}
      <Dialog open={isForgetting} label="Forget this note">
        <Preview id={note.id} onForget={forget} onCancel={() => (isForgetting.value = false)} />
      </Dialog>
    </>
  );
}

/** Names everything that would be deleted, because forgetting also deletes what the note was made from. */
function Preview({ id, onForget, onCancel }: { id: string; onForget(): void; onCancel(): void }) {
  const found = useResource(() => api.forgettable(id), [id]);
  return (
    <div class="forget">
      <h2>Forget this note?</h2>
      <p class="muted">
        This deletes the text from the log, the notes and the index. After six seconds it cannot be undone. If
        the note is only wrong or not needed here, use “This is wrong” or “Not here”.
      </p>
      <Loaded of={found}>
        {({ notes, events }) => (
          <>
            <h3>This goes</h3>
            <ul class="forget-list">
              {notes.map((note) => (
                <li key={note.id}>
                  <KindBadge kind={note.kind} />
                  <MemoryLine text={note.title} />
                </li>
              ))}
              {events.map(({ kind, count }) => (
                <li key={kind}>
                  <KindBadge kind={kind} />
                  {counted(count, 'event')} in the log
                </li>
              ))}
            </ul>
            <div class="actions">
              <button type="button" class="danger" onClick={onForget}>
                Forget
              </button>
              <button type="button" onClick={onCancel}>
                Cancel <Key of="Esc" />
              </button>
            </div>
          </>
        )}
      </Loaded>
    </div>
  );
}
