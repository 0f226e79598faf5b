import { z } from 'zod';
import { defaultLimit, limitCap } from '../recall/hit.ts';

export const projectShape = {
  project: z
    .string()
    .max(4_000)
    .optional()
    .describe(
      'Name, id, start of the id, or path of the project; default: the project of the folder in which the server was started',
    ),
};

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

/** The same parameters in camel case. MCP tools have theirs in snake case. */
export const camelShape = <Shape extends z.ZodRawShape>(shape: Shape) =>
  Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [
      name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      schema,
    ]),
  ) as { [Name in keyof Shape & string as Camel<Name>]: Shape[Name] };

export const limitShape = {
  limit: z.int().min(1).max(limitCap).default(defaultLimit),
};

export const cursorShape = {
  ...limitShape,
  cursor: z.string().max(500).optional().describe('`nextCursor` of the previous page'),
};

export const idShape = { id: z.string().min(1).max(200) };
