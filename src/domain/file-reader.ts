import type { AgentName } from './event.ts';
import type { Quote } from './failed-path.ts';

/** An agent session that read a file and did not change it. */
export interface FileReader {
  path: string;
  agent: AgentName;
  agentSession: string;
  /** When the session last read the file, in milliseconds since 1970. */
  at: number;
  /** The first request of the user in that session. */
  asked?: Quote;
  /** What was done and how the session ended. Words of the agent in it are labelled. */
  outcome?: Quote;
}
