import { z } from 'zod';
import type { AgentName } from '../../domain/event.ts';

/**
 * Schemas of what Backstory answers, one file per subject. The same schema describes `--json` of a command and the
 * responses of `serve` and of a team server: the OpenAPI description and the reference pages are generated from it, and
 * tests compare real answers with it. Objects are strict, so that an undocumented field fails. `named` gives a schema
 * its name in OpenAPI.
 */
export const text = z.string();
export const count = z.number().int();
/** A string in every document; the type knows the agents with an adapter. */
export const agent = text as unknown as z.ZodType<AgentName>;
/** A time as notes, events and the team's tables have it. */
export const isoTime = z.iso.datetime().describe('ISO 8601, UTC');
/** A time that the code calculates with. */
export const time = z.number().describe('milliseconds since 1970');

/** Names a schema. The name is unique among all answers. */
export const named = <Schema extends z.ZodType>(id: string, schema: Schema): Schema => schema.meta({ id });

export const nextCursor = text
  .optional()
  .describe('pass it as `cursor` to get the next page; absent on the last one');

export const object = <Shape extends z.ZodRawShape>(id: string, shape: Shape) =>
  named(id, z.strictObject(shape));

export const listOf = <Shape extends z.ZodRawShape>(shape: Shape) => z.array(z.strictObject(shape));

export const page = <Item extends z.ZodType>(item: Item) => ({
  items: z.array(item),
  total: count.describe('number of all items'),
  nextCursor,
});

export const projectName = named('ProjectName', z.strictObject({ id: text, name: text }));
export type ProjectName = z.infer<typeof projectName>;
