import type { AgentName } from '../../src/domain/event.ts';
import type { NoteKind } from '../../src/domain/note.ts';

/**
 * A story is a piece of work told in actions, with questions that somebody asks weeks later. An action has marks; a
 * question names the mark of the actions that contain its answer.
 */
export type Act = { marks?: readonly string[] } & (
  | { kind: 'prompt'; text: string }
  | { kind: 'answer'; text: string }
  | { kind: 'edit'; path: string; isNew?: true }
  | { kind: 'command'; command: string; output?: string; exit?: number }
  | { kind: 'commit'; hash?: string; author?: string; message: string; files: readonly string[] }
  | { kind: 'note'; note: NoteKind; text: string }
);

export interface Turn {
  /** Days after the story began. */
  day: number;
  /** Set if the story depends on the agent. */
  agent?: AgentName;
  acts: readonly Act[];
}

export const intents = [
  'why',
  'now',
  'fix',
  'tried',
  'files',
  'command',
  'told',
  'when',
  'who',
  'value',
  'left',
  'known',
  'history',
] as const;
export type Intent = (typeof intents)[number];

/** How a question is worded: with words of the answer, with other words, or with a few half-remembered ones. */
export type Manner = 'plain' | 'oblique' | 'remembered';

export interface Asked {
  intent: Intent;
  /** The actions with this mark contain the answer. */
  mark: string;
  /**
   * The same question four times: twice with words of the answer, then twice with other words. The first of each pair
   * is for projects to tune on, the second for held-out ones.
   */
  wordings: readonly string[];
}

export interface Story {
  turns: readonly Turn[];
  asked: readonly Asked[];
}

export const said = (text: string, ...marks: string[]): Act => ({ kind: 'prompt', text, marks });
export const replied = (text: string, ...marks: string[]): Act => ({ kind: 'answer', text, marks });
export const edited = (path: string, ...marks: string[]): Act => ({ kind: 'edit', path, marks });
export const created = (path: string, ...marks: string[]): Act => ({
  kind: 'edit',
  path,
  isNew: true,
  marks,
});
export const ran = (command: string, output = '', ...marks: string[]): Act => ({
  kind: 'command',
  command,
  output,
  marks,
});
export const failed = (command: string, output: string, ...marks: string[]): Act => ({
  kind: 'command',
  command,
  output,
  exit: 1,
  marks,
});
export const committed = (message: string, files: readonly string[], ...marks: string[]): Act => ({
  kind: 'commit',
  message,
  files,
  marks,
});
export const noted = (note: NoteKind, text: string, ...marks: string[]): Act => ({
  kind: 'note',
  note,
  text,
  marks,
});

export const turn = (day: number, ...acts: Act[]): Turn => ({ day, acts });
export const turnOfAgent = (agent: AgentName, day: number, ...acts: Act[]): Turn => ({ day, agent, acts });
