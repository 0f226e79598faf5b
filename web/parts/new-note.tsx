import { useState } from 'preact/hooks';
import { api } from '../api.ts';
import { failureOf } from '../failure.ts';
import { TextForm } from './text-form.tsx';
import { say } from './toast.tsx';

const kinds = ['decision', 'rule', 'preference', 'fact', 'open'];

/** A button that opens a form, in which the user writes a note. */
export function NewNote() {
  const [isOpen, open] = useState(false);
  const [text, write] = useState('');
  const [kind, choose] = useState('decision');
  const save = async () => {
    if (text.trim() === '') return;
    try {
      const { trust, redaction = '' } = await api.create(text, kind);
      say(`${trust >= 2 ? 'Saved.' : 'Saved; it waits for review.'} ${redaction}`);
      write('');
      open(false);
    } catch (error) {
      say(`Not saved: ${failureOf(error).message}`);
    }
  };
  if (!isOpen)
    return (
      <button type="button" onClick={() => open(true)}>
        New note
      </button>
    );
  return (
    <TextForm
      label="A decision, a rule or a fact, in one or two sentences"
      text={text}
      onText={write}
      action="Save"
      onSubmit={save}
      onCancel={() => open(false)}
    >
      <select aria-label="Kind" value={kind} onChange={(event) => choose(event.currentTarget.value)}>
        {kinds.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </TextForm>
  );
}
