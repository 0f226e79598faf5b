import type { TeamParts } from '../parts.ts';
import type { TokenHash } from '../store/team-store.ts';

/** The caller of a team's tools: a token with access to one project. No state is kept between two calls. */
export interface TeamCaller {
  parts: Pick<TeamParts, 'version' | 'clock' | 'store' | 'embedder' | 'redactor'>;
  token: TokenHash;
  project: string;
  /** Whether role and token allow adding notes; otherwise the `remember` tool is not offered. */
  mayWrite: boolean;
}
