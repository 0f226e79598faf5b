import type { Clock } from '../base/clock.ts';
import type { Redactor } from '../memory/redact/redact.ts';
import type { Embedder } from '../models/embed.ts';
import type { TeamStore, TokenHash } from './store/team-store.ts';
import type { Broadcast } from './sync/broadcast.ts';

export interface TeamMcp {
  /** The caller's access to the project has already been checked. */
  answer(
    request: Request,
    body: string | undefined,
    caller: { token: TokenHash; project: string; mayWrite: boolean },
  ): Promise<Response>;
  close(): Promise<void>;
}

export interface TeamParts {
  version: string;
  clock: Clock;
  store: TeamStore;
  embedder: Embedder;
  redactor: Redactor;
  broadcast: Broadcast;
  mcp: TeamMcp;
}
