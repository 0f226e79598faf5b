import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** A native dialog element, which traps the focus, closes on Escape and restores the focus. */
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
  // A layout effect, so that letters typed right after opening go to the dialog's field.
  useLayoutEffect(() => {
    if (isOpen && dialog.current?.open === false) dialog.current.showModal();
    if (!isOpen && dialog.current?.open === true) dialog.current.close();
  }, [isOpen]);
  const close = () => {
    open.value = false;
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click outside the dialog closes it; Escape is handled by the element.
    <dialog
      ref={dialog}
      aria-label={label}
      // The event comes after the dialog was closed. By then, it may be open again.
      onClose={() => dialog.current?.open === false && close()}
      onClick={(event) => event.target === dialog.current && close()}
    >
      {isOpen && <div class="dialog-body">{children}</div>}
    </dialog>
  );
}
