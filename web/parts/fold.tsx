import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { grouped } from './numbers.ts';

/** Beside a page its sections may be open; above it, on a narrow screen, they are closed at first. */
const isBeside = (): boolean => matchMedia('(width >= 1200px)').matches;

/** A part of a page that can be folded. One whose count is zero is left out. */
export function Fold({
  name,
  count,
  isOpen = false,
  children,
}: {
  name: string;
  count?: number;
  isOpen?: boolean;
  children: ComponentChildren;
}) {
  const [open, setOpen] = useState(() => isOpen && isBeside());
  if (count === 0) return null;
  return (
    <details class="fold" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="chevron" />
        <h2>{name}</h2>
        {count !== undefined && <span class="muted">{grouped(count)}</span>}
      </summary>
      {open && <div class="fold-body">{children}</div>}
    </details>
  );
}
