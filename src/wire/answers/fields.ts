import { z } from 'zod';
import { kebabText, timeText } from '../encode-answer.ts';

/**
 * Schemas of what Backstory answers, one file per subject. The same schema describes `--json` of a command and the
 * responses of `serve` and of a team server: the OpenAPI description and the reference pages are generated from it, and
 * tests compare real answers with it. Objects are strict, so that an undocumented field fails. `named` gives a schema
 * its name in OpenAPI.
 */
export const text = z.string();
export const count = z.number().int();
/** A time that the code has as text. */
export const isoTime = z.iso.datetime().describe('ISO 8601, UTC');
/** A time that the code has as milliseconds since 1970 and an answer has as text. */
export const time = z
  .codec(z.iso.datetime({ precision: 3 }), z.number(), { decode: Date.parse, encode: timeText })
  .describe('ISO 8601, UTC');

/** Values that MCP tools and stored events have in snake case, and an answer in kebab case. */
export const kebab = <const Value extends string>(values: readonly Value[]) =>
  z.codec(z.enum(values.map(kebabText)), z.enum(values), {
    decode: (text) => values.find((value) => kebabText(value) === text) as Value,
    encode: kebabText,
  });

/** Names a schema. The name is unique among all answers. */
export const named = <Schema extends z.ZodType>(id: string, schema: Schema): Schema => schema.meta({ id });

export const nextCursor = text
  .optional()
  .describe('pass it as `cursor` to get the next page; absent on the last one');

/** One page of a list. */
export const page = <Item extends z.ZodType>(item: Item) => ({
  items: z.array(item),
  total: count.describe('number of all items'),
  nextCursor,
});

export const projectName = named('ProjectName', z.strictObject({ id: text, name: text }));
