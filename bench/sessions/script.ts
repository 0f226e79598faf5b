/** A session of an agent, written by an evaluation instead of recorded. */
export interface ScriptedSession {
  name: string;
  /** Days after the first day of the project. */
  day: number;
  acts: Act[];
}

export type Act =
  | { kind: 'prompt'; text: string }
  | { kind: 'answer'; text: string }
  | { kind: 'read' | 'edit'; path: string }
  | { kind: 'command'; command: string; output: string; exit: number }
  /** Another tool, such as one that fetches a page. */
  | { kind: 'tool'; tool: string; input: object; output: string };
