import { useState } from 'preact/hooks';
import type { Note } from '../../src/wire/answers/memory.ts';
import { api } from '../api.ts';
import { TextForm } from './text-form.tsx';
import { decideHere } from './toast.tsx';

/** What the user decided about a note, until the page has loaded it again. */
interface Decided {
  /** False if sessions are no longer told the note. */
  isTold: boolean;
  text?: string;
  pinned?: boolean;
}

/**
 * Decisions on a note, and the form for those that need a text. Undo opens the form again with what was typed.
 * `onDone` is called when the server has applied a decision, with a function that shows the note again.
 */
export function useNoteForm(note: Note | undefined, editLabel: string, onDone: (again: () => void) => void) {
  const [decided, set] = useState<(Decided & { message: string }) | undefined>(undefined);
  const [form, open] = useState<'wrong' | 'edit' | undefined>(undefined);
  const [draft, write] = useState('');
  const again = () => set(undefined);
  const settle = (message: string, carryOut: () => Promise<unknown>, next: Decided = { isTold: false }) => {
    const before = form;
    set({ message, ...next });
    open(undefined);
    decideHere(
      message,
      () => carryOut().then(() => onDone(again)),
      () => {
        again();
        open(before);
      },
    );
  };
  const start = (wanted: 'wrong' | 'edit') => {
    write(wanted === 'edit' ? (note?.text ?? '') : '');
    open(wanted);
  };
  const now = draft.trim();
  const submit = () => {
    if (note === undefined) return;
    if (form === 'edit') settle('Edited', () => api.edit(note, now), { isTold: true, text: now });
    else if (now === '') settle('Withdrawn', () => api.wrong(note, now));
    else settle('Replaced', () => api.wrong(note, now), { isTold: true, text: now });
  };
  const fields = form && (
    <TextForm
      label={
        form === 'edit'
          ? editLabel
          : 'What is right? Leave this empty to withdraw the note without a replacement.'
      }
      text={draft}
      onText={write}
      action={form === 'edit' ? 'Save' : now === '' ? 'Withdraw' : 'Replace'}
      onSubmit={submit}
      onCancel={() => open(undefined)}
    />
  );
  return { decided, settle, start, fields };
}
