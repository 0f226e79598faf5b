import type { AgentName, Asked, Trust } from '../domain/event.ts';
import type { NoteKind } from '../domain/note.ts';
import type { StoredPrompt } from '../text/prompt-blocks.ts';

/** Proposes notes and writes nothing: memory/notes/distil-sessions.ts decides what becomes a note. */
export interface Distiller {
  /** Changes with the rules. When it does, all sessions are looked at again. */
  id: string;
  distil(session: SessionTurns): Promise<Proposal[]>;
}

export interface SessionTurns {
  agentSession: string;
  agent: AgentName;
  branch: string;
  /** Id of the working tree in which it ended. */
  checkout?: string;
  /** In order; what a subagent did is not among it. */
  turns: Turn[];
}

/**
 * One prompt of the user up to the next, with what the agent said and did in between, in order. What the user answered
 * in a dialog or typed while the agent worked is a turn without acts, with the id of the turn around it.
 */
export interface Turn {
  id: string;
  /** Milliseconds since 1970, of its first event. */
  at: number;
  prompt?: StoredPrompt & { event: string; asked?: Asked; isPlan?: true };
  acts: Act[];
}

/** The agent's last answer before a prompt. What was typed during a turn answers none. */
export function answerBefore(turns: Turn[], at: number): Extract<Act, { kind: 'answer' }> | undefined {
  if (turns[at]?.prompt?.asked !== undefined) return undefined;
  const before = turns.slice(0, at).findLast(({ prompt }) => prompt?.asked === undefined);
  return before?.acts.findLast((act) => act.kind === 'answer');
}

/** Whether the answer to the last prompt is missing. */
export function isUnanswered(turns: Turn[]): boolean {
  const asked = turns.findLast(({ prompt }) => prompt !== undefined && prompt.asked === undefined);
  return asked !== undefined && !asked.acts.some(({ kind }) => kind === 'answer');
}

export type Act =
  | { kind: 'answer'; event: string; text: string }
  | { kind: 'edit'; event: string; path: string }
  | {
      kind: 'command';
      event: string;
      command: string;
      ok: boolean;
      exit?: number | 'unknown';
      output: string;
    }
  /** Some other tool was used, so its output may have shaped what was said. */
  | { kind: 'tool'; event: string };

export interface Proposal {
  kind: NoteKind;
  text: string;
  turn: string;
  at: number;
  evidence: string[];
  files: string[];
  /** Of the least trusted words in it. */
  trust: Trust;
  /** May be meant for the moment, or be somebody else's words: waits until another session says it too. */
  isWeak?: true;
  /** What the user answered, and the agent's question with the chosen option. */
  quote?: string;
  proposal?: string;
  /** Too low to be proposed in daily work. A person may be asked about the likeliest. */
  probability?: number;
}

export const isUncertain = ({ probability }: Proposal): boolean => probability !== undefined;
