import type { RecallAnswer, RecallQuery } from '../domain/hit.ts';
import { recall } from '../recall/recall.ts';
import { quickLimits } from '../recall/with-index.ts';
import type { HttpParts, NamedProject } from './parts.ts';

/** The one way memory is asked over HTTP, whichever route asks: what CLI and MCP find, all of them find. */
export const askMemory = (
  { clock }: HttpParts,
  { parts }: NamedProject,
  query: Omit<RecallQuery, 'now'>,
): Promise<RecallAnswer> => recall(parts, { ...query, now: clock.now() }, quickLimits);
