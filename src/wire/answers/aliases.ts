import { z } from 'zod';
import { memorySources } from '../../domain/memory.ts';
import { count, isoTime, listOf, object, text } from './fields.ts';
import { drift } from './memory.ts';

/** Answers in the formats of other memory servers, for the routes under their names. */
const line = {
  id: text,
  type: text,
  title: text,
  date: isoTime,
  files: z.array(text),
  trust: z.number(),
  drift: drift.optional(),
};

export const searchResults = object('SearchResults', {
  project: text,
  query: text.optional(),
  match: text.optional(),
  format: text,
  count,
  results: z.array(
    z
      .looseObject({ ...line, source: text.optional(), author: text.nullable().optional() })
      .describe('with `format=full`, also all fields of a hit'),
  ),
  next_cursor: text.optional(),
});

export const timelineRecords = object('TimelineRecords', {
  project: text,
  anchor: z.strictObject(line).nullable(),
  count,
  records: listOf({ ...line, isAnchor: z.boolean() }),
});

const record = {
  documentId: text,
  project: text,
  source: z.enum(memorySources),
  sourceRef: text,
  text,
  metadata: z.record(text, z.unknown()),
  embeddedAt: isoTime.nullable(),
};

/** A note that was added, in the format of Forge memory. */
export const addedRecord = object('AddedRecord', record);

export const memoryRecords = object('MemoryRecords', {
  results: listOf({
    ...record,
    trust: z.number().optional(),
    score: z.number(),
    why: z.record(text, z.number()).optional(),
    drift: drift.optional(),
  }),
});
