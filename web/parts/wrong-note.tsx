import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { api } from '../api.ts';
import { useKeys } from '../keys.ts';
import type { Note } from '../wire.ts';
import { Key } from './states.tsx';
import { decideHere } from './toast.tsx';

/** The button "This is wrong": withdraws the note, or replaces it by the text that the user enters. */
export function WrongNote({ note }: { note: Note }) {
  const [step, go] = useState<'closed' | 'open' | 'decided'>('closed');
  const [text, setText] = useState('');
  const button = useRef<HTMLButtonElement>(null);
  useKeys(step === 'closed' ? { w: () => go('open') } : {});
  if (step === 'decided') return null;
  const cancel = () => {
    go('closed');
    button.current?.focus();
  };
  const now = text.trim();
  const correct = () => {
    go('decided');
    decideHere(
      now === '' ? 'Withdrawn' : 'Replaced',
      () => api.wrong(note, now),
      () => go('open'),
    );
  };
  return (
    <>
      <div class="actions">
        <button
          type="button"
          ref={button}
          aria-expanded={step === 'open'}
          onClick={() => (step === 'open' ? cancel() : go('open'))}
        >
          This is wrong <Key of="w" />
        </button>
      </div>
      {step === 'open' && (
        <CorrectionForm
          text={text}
          onText={setText}
          action={now === '' ? 'Withdraw' : 'Replace'}
          onSubmit={correct}
          onCancel={cancel}
        />
      )}
    </>
  );
}

interface CorrectionFormProps {
  text: string;
  action: string;
  onText(text: string): void;
  onSubmit(): void;
  onCancel(): void;
}

function CorrectionForm({ text, action, onText, onSubmit, onCancel }: CorrectionFormProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  // A layout effect, so that the first typed letters go to the field and not to the page's shortcuts.
  useLayoutEffect(() => field.current?.focus(), []);
  return (
    <form
      class="editor"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <label>
        <span>What is right? Leave this empty to withdraw the note without a replacement.</span>
        <textarea
          ref={field}
          dir="auto"
          rows={3}
          maxLength={20_000}
          value={text}
          onInput={(event) => onText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onCancel();
            else if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) onSubmit();
          }}
        />
      </label>
      <div class="actions">
        <button type="submit" class="primary">
          {action} <Key of="⌘ Enter" />
        </button>
        <button type="button" onClick={onCancel}>
          Cancel <Key of="Esc" />
        </button>
      </div>
    </form>
  );
}
