import type { Context } from 'hono';
import { z } from 'zod';
import { AppError } from '../base/errors.ts';
import type { RouteShape } from './route.ts';

/** Everything that was asked of a route: in its path, and in its query or body. `body` if it has been read already. */
export async function inputOf(
  route: RouteShape,
  { req }: Context,
  body?: string,
): Promise<Record<string, unknown>> {
  const query = readTexts(route.asks, new URL(req.url).searchParams);
  const inPath = readTexts(route.asks, new URLSearchParams(req.param()));
  if (route.method === 'GET' || route.method === 'DELETE')
    return checkInput(route.asks, { ...query, ...inPath });
  const text = body ?? (await bodyOf(req));
  // Only JSON: what a form of another page can send never is.
  if (text !== '' && !/^application\/json\b/i.test(req.header('content-type') ?? '')) {
    throw new AppError('INVALID_ARGUMENT', 'the body is not said to be JSON', {
      hint: 'content-type: application/json',
    });
  }
  return checkInput(route.asks, { ...query, ...readBody(text), ...inPath });
}

/** What breaks off is the asker's doing, or their line's: nothing failed here. */
const bodyOf = (req: Context['req']): Promise<string> =>
  req.text().catch((cause: unknown) => {
    throw brokenOff(cause);
  });

export const brokenOff = (cause: unknown): AppError =>
  new AppError('INVALID_ARGUMENT', 'the body broke off', { hint: 'Send it again', cause });

/**
 * A query and a path are all text; the schema says which of it is meant as a number or as yes and no. The same
 * schemas check what MCP calls bring, where numbers are numbers.
 */
function readTexts(asks: z.ZodObject, texts: URLSearchParams): Record<string, unknown> {
  const named = Object.entries(asks.shape).filter(([name]) => texts.has(name));
  return Object.fromEntries(
    named.map(([name, schema]) => {
      const all = texts.getAll(name);
      return [name, typeOf(schema) === 'array' ? all : readText(typeOf(schema), all.at(-1) ?? '')];
    }),
  );
}

/** What kind of value stands inside of "may be left out" and "is this unless told". */
function typeOf(schema: unknown): string {
  const { def } = schema as { def: { type: string; innerType?: unknown } };
  return def.innerType === undefined ? def.type : typeOf(def.innerType);
}

function readText(type: string, text: string): unknown {
  if (type === 'number' && /^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if (type === 'boolean' && /^(?:true|1|)$/.test(text)) return true;
  if (type === 'boolean' && /^(?:false|0)$/.test(text)) return false;
  return text;
}

function readBody(text: string): Record<string, unknown> {
  if (text === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Falls through to the one error below.
  }
  throw new AppError('INVALID_ARGUMENT', 'the body is not a JSON object', { hint: openApiHint });
}

export function checkInput(asks: z.ZodObject, given: Record<string, unknown>): Record<string, unknown> {
  const checked = asks.safeParse(given);
  if (checked.success) return checked.data;
  throw new AppError('INVALID_ARGUMENT', z.prettifyError(checked.error), { hint: openApiHint });
}

const openApiHint = 'GET /api/openapi.json says what may be asked';
