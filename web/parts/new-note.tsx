import { useState } from 'preact/hooks';
import { failureOf } from '../failure.ts';
import { Select } from './select.tsx';
import { TextForm } from './text-form.tsx';
import { say } from './toast.tsx';

const kinds = ['decision', 'rule', 'preference', 'fact', 'open'];

/** A button that opens a form, in which the user writes a note. `create` saves it and returns what to say about it. */
export function NewNote({ create }: { create(text: string, kind: string): Promise<string> }) {
  const [isOpen, open] = useState(false);
  const [text, write] = useState('');
  const [kind, choose] = useState('decision');
  const save = async () => {
    if (text.trim() === '') return;
    try {
      say(await create(text, kind));
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
      <Select label="Kind" value={kind} options={kinds.map((name) => [name, name])} onChange={choose} />
    </TextForm>
  );
}
