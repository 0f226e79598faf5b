import type { TeamParts } from '../parts.ts';
import type { TokenHash } from '../store/team-store.ts';

/** Who calls a team's tools: a token that was admitted to one project. Nothing is kept between two calls. */
export interface TeamCaller {
  parts: Pick<TeamParts, 'version' | 'clock' | 'store' | 'embedder' | 'redactor'>;
  token: TokenHash;
  project: string;
  /** Whether role and token allow adding notes; otherwise the `remember` tool is not offered. */
  mayWrite: boolean;
}

/** What a search of the team's memory needs. */
export const searchParts = async ({ parts }: TeamCaller) => ({
  store: parts.store,
  embedder: await parts.embedder(),
});
