import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** The browser's own dialog: it keeps the focus inside, closes on Escape and gives the focus back. */
export function Dialog({
  open,
  label,
  children,
}: {
  open: Signal<boolean>;
  label: string;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = open.value;
  // At once and not after the next paint: who types on has their letters in the field, and not on the page.
  useLayoutEffect(() => {
    if (isOpen && dialog.current?.open === false) dialog.current.showModal();
    if (!isOpen && dialog.current?.open === true) dialog.current.close();
  }, [isOpen]);
  const close = () => {
    open.value = false;
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside the dialog closes it, as Escape does by itself.
    <dialog
      ref={dialog}
      aria-label={label}
      onClose={close}
      onClick={(event) => event.target === dialog.current && close()}
    >
      {isOpen && <div class="dialog-body">{children}</div>}
    </dialog>
  );
}
