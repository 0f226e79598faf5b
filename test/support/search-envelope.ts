import { expect } from 'vitest';

/** Fields of every first response about code, of any tool. */
export const searchEnvelope = {
  version: '1',
  repo_root: expect.any(String),
  strategy: expect.stringMatching(/^(?:indexed|direct_scan|ripgrep_fallback)$/),
  fallback_used: expect.any(Boolean),
  cache: 'miss',
  routing_reason: expect.any(String),
  search_id: expect.stringMatching(/^search-\d{4}$/),
  truncated: false,
  generation: expect.any(Number),
  index_lag_ms: expect.any(Number),
  coverage: { files: expect.any(Number), indexed_files: expect.any(Number), live_files: expect.any(Number) },
};
