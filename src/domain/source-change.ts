import type { Link } from './memory.ts';

/** What is told of from elsewhere: it lives there, and a team only remembers it. */
export const changingSources = ['issue', 'comment', 'job'] as const;
export type ChangingSource = (typeof changingSources)[number];

interface Changed {
  source: ChangingSource;
  /** The same for as long as the thing lives, whatever it is renamed to. */
  sourceRef: string;
  /** The issue that a comment stands under. */
  parent?: string | undefined;
  /** When it changed by the clock of where it lives, in milliseconds since 1970. */
  at: number;
}

/**
 * `hidden`: it is no longer for everybody, and may come back. `deleted`: it is gone there, and stays gone here.
 */
export type SourceChange = Changed &
  (
    | {
        change: 'saved';
        /** Says what it was at its beginning: of two texts with the same time, it is the older one. */
        isFirst: boolean;
        text: string;
        metadata: Record<string, unknown>;
        links: Link[];
      }
    | { change: 'hidden' | 'deleted' }
  );

/**
 * `stale`: something newer was told already. `gone`: it was deleted, and stays so. `ignored`: nothing was there to be
 * taken away.
 */
export type ChangeOutcome = 'kept' | 'unchanged' | 'removed' | 'stale' | 'gone' | 'ignored';
