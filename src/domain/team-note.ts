import type { NoteKind } from './note.ts';

/** A note as synced between a device and a team server: its content, without references to local events. */
export interface TeamNote {
  id: string;
  kind: NoteKind;
  text: string;
  concepts: string[];
  files: string[];
  created: string;
  updated: string;
  /** Name of the person whose token saved it. The server sets it. */
  author: string;
  /** The device that wrote this text, and its revision on that device. */
  device: string;
  rev: number;
}

/**
 * The result of pushing a note. `conflict`: another device changed it in the meantime. `forgotten`: it was deleted for
 * good. `refused`: it is not a valid note, or a note of somebody else; the other notes of the push are stored.
 */
export type PushOutcome = 'kept' | 'conflict' | 'forgotten' | 'refused';
