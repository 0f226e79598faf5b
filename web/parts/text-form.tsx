import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Key } from './states.tsx';

export interface TextFormProps {
  label: string;
  text: string;
  /** Name of the button that submits the form. */
  action: string;
  onText(text: string): void;
  onSubmit(): void;
  onCancel(): void;
  /** Shown before the buttons. */
  children?: ComponentChildren;
}

/** A field for one text. Control-Enter submits it, and Escape cancels it. */
export function TextForm({ label, text, action, onText, onSubmit, onCancel, children }: TextFormProps) {
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
        <span>{label}</span>
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
        {children}
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
