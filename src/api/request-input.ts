import type { Context } from 'hono';
import type { z } from 'zod';
import { AppError } from '../base/errors.ts';
import { parseObject } from '../base/json.ts';
import type { RouteShape } from './route.ts';

/** Validated parameters of a request, from its path and its query or body. Pass `body` if it was already read. */
export async function inputOf(
  route: RouteShape,
  { req }: Context,
  body?: string,
): Promise<Record<string, unknown>> {
  const { searchParams } = new URL(req.url);
  const isStrict = route.path.startsWith('/api/v1/');
  if (isStrict) refuseUnknown(route.params, [...searchParams.keys()]);
  const query = parseParameters(route.params, searchParams);
  const inPath = parseParameters(route.params, new URLSearchParams(req.param()));
  if (route.method === 'GET' || route.method === 'DELETE')
    return checkInput(route.params, { ...query, ...inPath });
  const text = body ?? (await readBody(req));
  // Accept only JSON. A form on a page of another origin can send the other content types without asking (CSRF).
  if (text !== '' && !/^application\/json\b/i.test(req.header('content-type') ?? '')) {
    throw new AppError('INVALID_ARGUMENT', 'the request body must be JSON', {
      hint: 'Send the header content-type: application/json',
    });
  }
  const given = parseBody(text);
  if (isStrict) refuseUnknown(route.params, Object.keys(given));
  return checkInput(route.params, { ...query, ...given, ...inPath });
}

/** A misspelt parameter must not be ignored. Routes of other designs ignore those that they do not have. */
function refuseUnknown({ shape }: z.ZodObject, names: string[]): void {
  const unknown = names.filter((name) => !Object.hasOwn(shape, name));
  if (unknown.length === 0) return;
  const fields = unknown.slice(0, maxFields).map((field) => ({ field, detail: 'unknown parameter' }));
  throw new AppError(
    'INVALID_ARGUMENT',
    `unknown parameter: ${unknown.slice(0, 3).join(', ').slice(0, 200)}`,
    {
      hint: openApiHint,
      fields,
    },
  );
}

/** A body that breaks off is an error of the client or its connection, not of the server. */
const readBody = (req: Context['req']): Promise<string> =>
  req.text().catch((cause: unknown) => {
    throw incompleteBody(cause);
  });

export const incompleteBody = (cause: unknown): AppError =>
  new AppError('INVALID_ARGUMENT', 'the request body is incomplete', {
    hint: 'Send the request again',
    cause,
  });

/**
 * Converts query and path parameters, which are text, to the numbers and booleans that the schema expects. MCP uses
 * the same schemas with typed values.
 */
function parseParameters(params: z.ZodObject, texts: URLSearchParams): Record<string, unknown> {
  const named = Object.entries(params.shape).filter(([name]) => texts.has(name));
  return Object.fromEntries(
    named.map(([name, schema]) => {
      const all = texts.getAll(name);
      return [name, typeOf(schema) === 'array' ? all : parseValue(typeOf(schema), all.at(-1) ?? '')];
    }),
  );
}

/** The type of a value, without `optional` and `default` wrappers. */
function typeOf(schema: unknown): string {
  const { def } = schema as { def: { type: string; innerType?: unknown } };
  return def.innerType === undefined ? def.type : typeOf(def.innerType);
}

function parseValue(type: string, text: string): unknown {
  if (type === 'number' && /^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if (type === 'boolean' && /^(?:true|1|)$/.test(text)) return true;
  if (type === 'boolean' && /^(?:false|0)$/.test(text)) return false;
  return text;
}

function parseBody(text: string): Record<string, unknown> {
  const body = text === '' ? {} : parseObject(text);
  if (body !== undefined) return body;
  throw new AppError('INVALID_ARGUMENT', 'the request body is not a JSON object', { hint: openApiHint });
}

export function checkInput(params: z.ZodObject, input: Record<string, unknown>): Record<string, unknown> {
  const checked = params.safeParse(input);
  if (checked.success) return checked.data;
  throw invalidInput(checked.error, openApiHint);
}

export function invalidInput({ issues }: z.ZodError, hint: string): AppError {
  const fields = issues.map(({ path, message }) => ({
    field: path.join('.'),
    detail: lowerFirst(message.replace(/^Invalid input: /, '')),
  }));
  const message = fields
    .slice(0, maxFieldsInMessage)
    .map(({ field, detail }) => (field === '' ? detail : `${field}: ${detail}`))
    .join('; ');
  return new AppError('INVALID_ARGUMENT', message, { hint, fields: fields.slice(0, maxFields) });
}

const maxFieldsInMessage = 3;
const maxFields = 50;
const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const openApiHint = 'GET /api/v1/openapi.json describes the parameters';
