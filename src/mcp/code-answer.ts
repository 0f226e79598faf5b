import type { CheckoutState } from '../wire/answers/code.ts';
import { maxAnswerBytes, type ToolAnswer } from './answer.ts';

/** Half of the limit, because results are sent twice: as text and as structured content. */
export const maxTextBytes = maxAnswerBytes / 2;

export const codeAnswer = (text: string, envelope: object): ToolAnswer => ({
  content: [{ type: 'text', text }],
  structuredContent: { version: '1', ...envelope },
});

export const filesIn = ({ indexedFiles, dirtyFiles }: CheckoutState): number => indexedFiles + dirtyFiles;

export const freshnessFields = (state: CheckoutState) => ({
  generation: state.generation,
  index_lag_ms: state.dirtySinceMs,
  coverage: { files: filesIn(state), indexed_files: state.indexedFiles, live_files: state.dirtyFiles },
});
