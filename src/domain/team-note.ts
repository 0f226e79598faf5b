import type { NoteKind } from './note.ts';

/** A note as it travels between a laptop and a team's server: what it says, and nothing of what it was drawn from. */
export interface TeamNote {
  id: string;
  kind: NoteKind;
  text: string;
  concepts: string[];
  files: string[];
  created: string;
  updated: string;
  /** As its author calls themselves. */
  author: string;
  /** Which machine wrote this text, and how often it had changed there. */
  device: string;
  rev: number;
}

/**
 * `conflict`: somebody else changed it meanwhile. `forgotten`: it was removed, and stays so. `refused`: it is not what
 * a note may be; the others are taken all the same.
 */
export type PushOutcome = 'kept' | 'conflict' | 'forgotten' | 'refused';
