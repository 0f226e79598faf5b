import { isoTime } from '../base/clock.ts';
import type { CheckoutState } from '../wire/answers/code.ts';
import { maxAnswerBytes, type ToolAnswer } from './answer.ts';

/** Half of the limit, because results are sent twice: as text and as structured content. */
export const maxTextBytes = maxAnswerBytes / 2;

export const codeAnswer = (text: string, envelope: object): ToolAnswer => ({
  content: [{ type: 'text', text }],
  structuredContent: { version: '1', ...envelope },
});

const filesIn = ({ indexedFiles, dirtyFiles }: CheckoutState): number => indexedFiles + dirtyFiles;

export const freshnessFields = (state: CheckoutState) => ({
  generation: state.generation,
  index_lag_ms: state.dirtySinceMs,
  coverage: { files: filesIn(state), indexed_files: state.indexedFiles, live_files: state.dirtyFiles },
});

export const statusFields = (state: CheckoutState) => ({
  index_present: state.isIndexed,
  index_fresh: state.isIndexed && state.dirtyFiles === 0,
  indexed_files: state.indexedFiles,
  index_bytes: state.indexBytes,
  last_updated: state.updated === undefined ? null : isoTime(state.updated),
  repo_category: filesIn(state) < 5_000 ? 'small' : filesIn(state) < 25_000 ? 'medium' : 'large',
  routing_hint: state.isIndexed ? 'indexed_default' : 'direct_scan_until_indexed',
});
