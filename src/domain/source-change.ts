import type { Link } from './memory.ts';

/** Sources that live in another system, such as an issue tracker. The team server follows their changes. */
export const changingSources = ['issue', 'comment', 'job'] as const;
export type ChangingSource = (typeof changingSources)[number];

interface Changed {
  source: ChangingSource;
  /** Stable id of the source object; renaming does not change it. */
  sourceRef: string;
  /** The issue to which a comment belongs. */
  parent?: string | undefined;
  /** By the source's clock. */
  at: number;
}

/** `hidden`: it is no longer public, and may be shown again later. `deleted`: it was deleted for good. */
export type SourceChange = Changed &
  (
    | {
        change: 'saved';
        /**
         * Whether this is the initial text of the source. If another text has the same time, the initial text is the
         * older one.
         */
        isFirst: boolean;
        text: string;
        /**
         * The tracker's account that wrote this text, in a form that survives renaming. Undefined if the change is not
         * about the text, or somebody else than the author made it.
         */
        writer?: string | undefined;
        metadata: Record<string, unknown>;
        /** Metadata fields that this change says nothing about. Their stored values stay. */
        keeps?: string[] | undefined;
        links: Link[];
      }
    | { change: 'hidden' | 'deleted' }
  );

/**
 * The result of applying a change. `stale`: a newer change was already applied. `gone`: the source had been deleted
 * for good. `ignored`: there was nothing to remove.
 */
export type ChangeOutcome = 'kept' | 'unchanged' | 'removed' | 'stale' | 'gone' | 'ignored';
