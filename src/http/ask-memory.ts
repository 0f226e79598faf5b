import type { RecallAnswer, RecallQuery } from '../domain/hit.ts';
import { recall } from '../recall/recall.ts';
import { quickLimits } from '../recall/with-index.ts';
import type { NamedProject } from './parts.ts';

/** The one way memory is asked over HTTP, whichever route asks: what CLI and MCP find, all of them find. */
export const askMemory = ({ parts }: NamedProject, query: RecallQuery): Promise<RecallAnswer> =>
  recall(parts, query, quickLimits);
