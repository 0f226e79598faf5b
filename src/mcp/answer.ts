import { z } from 'zod';
import { AppError, type ErrorCode, messageOf } from '../base/errors.ts';
import { fenceClose } from '../text/fence.ts';

/** What a tool says: text only, because agents differ in whether they show text or structured content. */
export interface ToolAnswer {
  [key: string]: unknown;
  content: { type: 'text'; text: string }[];
  /** The envelope of code search; memory answers in text alone. */
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** Agents cut longer answers in the middle or move them to a file. */
export const maxAnswerBytes = 19_000;

export function answer(text: string): ToolAnswer {
  // What is cut off must not take the end of the fence along.
  const end = text.endsWith(fenceClose) ? `\n${fenceClose}` : '';
  return {
    content: [
      { type: 'text', text: cutToBytes(text, maxAnswerBytes, `\n… cut here; ask for less at once.${end}`) },
    ],
  };
}

/** At most `limit` bytes, `note` included where something is missing. */
export function cutToBytes(text: string, limit: number, note: string): string {
  if (Buffer.byteLength(text) <= limit) return text;
  const kept = Buffer.from(text)
    .subarray(0, limit - Buffer.byteLength(note))
    .toString('utf8');
  return kept.replace(/\uFFFD+$/, '') + note;
}

const maxMessage = 1_000;

/** The one error envelope of every tool. */
export function failure(error: unknown): ToolAnswer {
  const known = error instanceof AppError ? error : undefined;
  const body = {
    version: '1',
    error: {
      code: known?.code ?? 'BACKEND_FAILURE',
      message: messageOf(error).slice(0, maxMessage),
      retryable: known?.retryable ?? true,
      suggested_action: known?.hint ?? 'Run `backstory doctor` in a terminal',
    },
  };
  return { ...answer(JSON.stringify(body)), isError: true };
}

/**
 * Listed in few words, because every session pays for them, and checked in `answering`, so that a wrong call
 * gets the same envelope as any other error.
 */
export const listed = <T extends z.ZodType>(schema: T): T => {
  const input = () => withoutBounds(z.toJSONSchema(schema, { io: 'input' }));
  const standard = {
    ...schema['~standard'],
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input, output: input },
  };
  return { '~standard': standard } as unknown as T;
};

/** What only an error needs to say: lengths, the bounds of numbers that have a default, the dialect. */
const unsaid = new Set(['$schema', 'minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum']);

function withoutBounds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutBounds);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !unsaid.has(key) || typeof value === 'object')
      .map(([key, value]) => [key, withoutBounds(value)]),
  );
}

export const answering = <T extends z.ZodType>(
  schema: T,
  given: unknown,
  work: (checked: z.output<T>) => Promise<string>,
): Promise<ToolAnswer> =>
  answeringCode(schema, given, async (checked) => answer(await work(checked)), 'INVALID_ARGUMENT');

/** A tool never throws: an error is an answer too. For tools that answer with an envelope as well. */
export async function answeringCode<T extends z.ZodType>(
  schema: T,
  given: unknown,
  work: (checked: z.output<T>) => Promise<ToolAnswer>,
  wrongCall: ErrorCode = 'INVALID_QUERY',
): Promise<ToolAnswer> {
  try {
    const checked = schema.safeParse(given ?? {});
    if (checked.success) return await work(checked.data);
    const hint = 'Call the tool again with the parameters that its schema names';
    throw new AppError(wrongCall, z.prettifyError(checked.error), { hint });
  } catch (error) {
    return failure(error);
  }
}
