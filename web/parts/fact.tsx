import type { ComponentChildren } from 'preact';

/** A term with its description, in a list of them. */
export const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd class="break">{children}</dd>
  </div>
);
