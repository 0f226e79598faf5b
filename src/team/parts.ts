import type { Clock } from '../base/clock.ts';
import type { Redactor } from '../memory/redact.ts';
import type { Embedder } from '../models/embed.ts';
import type { TeamStore } from '../store/team-store.ts';
import type { Broadcast } from './broadcast.ts';

/** What a team server works with. */
export interface TeamParts {
  version: string;
  clock: Clock;
  store: TeamStore;
  /** Undefined when there is none, or none that can be reached now. */
  embedder(): Promise<Embedder | undefined>;
  redactor: Redactor;
  broadcast: Broadcast;
}
