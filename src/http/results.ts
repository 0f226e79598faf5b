import { isoTime } from '../base/clock.ts';
import type { Drift } from '../domain/anchor.ts';
import type { Chunk } from '../domain/chunk.ts';
import { type Hit, previewLimit } from '../domain/hit.ts';
import { type AnswerFormat, hitRecord } from '../recall/render.ts';
import { harmlessLine } from '../text/fence.ts';

/** Ranked, or merely listed. */
export type Found = Hit | { chunk: Chunk; drift?: Drift | undefined };

/** What was found, as the routes of search give it: `index` is a line of each, `full` all of it. */
export const resultsOf = (found: Found[], format: AnswerFormat) => ({
  format,
  count: found.length,
  results: found.map((one) => (format === 'full' ? fullResult(one) : indexResult(one))),
});

export const indexResult = ({ chunk: { id, kind, text, at, paths }, drift }: Found) => ({
  id,
  type: kind,
  title: harmlessLine(text, previewLimit),
  date: isoTime(at),
  files: paths,
  drift,
});

const fullResult = (one: Found) => ({
  ...('score' in one ? hitRecord(one) : one.chunk),
  ...indexResult(one),
});

export const nextOf = (isMore: boolean, offset: number) => (isMore ? { next_cursor: String(offset) } : {});
