import type { ComponentChildren } from 'preact';

/** The heading of a page, the question that it answers, and the controls beside them. */
export const PageHead = ({
  title,
  lead,
  children,
}: {
  title: string;
  lead: ComponentChildren;
  children?: ComponentChildren;
}) => (
  <header class="page-head">
    <div>
      <h1>{title}</h1>
      <p class="lead">{lead}</p>
    </div>
    {children}
  </header>
);
