import type { Clock } from '../base/clock.ts';
import type { Redactor } from '../memory/redact/redact.ts';
import type { Embedder } from '../models/embed.ts';
import type { TeamStore, TokenHash } from './store/team-store.ts';
import type { Broadcast } from './sync/broadcast.ts';

/** Speaks MCP. */
export interface TeamMcp {
  /** For a token that was let into a project. */
  answer(
    request: Request,
    body: string | undefined,
    caller: { token: TokenHash; project: string; mayWrite: boolean },
  ): Promise<Response>;
  /** Ends what is still open. */
  close(): Promise<void>;
}

/** What a team server works with. */
export interface TeamParts {
  version: string;
  clock: Clock;
  store: TeamStore;
  /** Undefined when there is none, or none that can be reached now. */
  embedder(): Promise<Embedder | undefined>;
  redactor: Redactor;
  broadcast: Broadcast;
  mcp: TeamMcp;
}
