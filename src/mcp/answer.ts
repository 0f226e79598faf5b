import type { ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { AppError, type ErrorCode, errorEnvelope } from '../base/errors.ts';
import type { ServedBody } from '../domain/event.ts';
import { fenceEndOf } from '../text/fence.ts';
import { showHidden } from '../text/hidden-characters.ts';
import { mapStrings } from '../text/map-strings.ts';

/**
 * What a tool says. Agents differ in whether they show their model the text or the structured content, so where
 * there are both, both tell the same.
 */
export interface ToolAnswer {
  [key: string]: unknown;
  content: { type: 'text'; text: string }[];
  /** The envelope of code search; memory answers in text alone. */
  structuredContent?: Record<string, unknown>;
  /** For our own record; taken off before the answer is sent. */
  served?: Pick<ServedBody, 'search' | 'memo'>;
  isError?: boolean;
}

/** A tool as it is called: with arguments that nobody has checked. */
export type AnswerTool = (given: unknown, context: ServerContext) => Promise<ToolAnswer>;

/** Agents cut longer answers in the middle or move them to a file. */
export const maxAnswerBytes = 19_000;

/**
 * The last word on size, for every tool: what was not made to fit is cut where one sees it. Structured content
 * cannot be cut, so it goes, and the text tells it.
 */
export function withinLimit({ structuredContent, ...said }: ToolAnswer): ToolAnswer {
  const fits = Buffer.byteLength(JSON.stringify(structuredContent ?? null)) <= maxAnswerBytes;
  const content = said.content.flatMap(({ text }) => answer(text).content);
  return { ...said, content, ...(structuredContent !== undefined && fits ? { structuredContent } : {}) };
}

export function answer(text: string): ToolAnswer {
  // What is cut off must not take the end of the fence along.
  const close = fenceEndOf(text);
  const end = close === '' ? '' : `\n${close}`;
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

export const failure = (error: unknown): ToolAnswer => ({
  ...answer(JSON.stringify(errorEnvelope(error))),
  isError: true,
});

/**
 * Listed, but checked in `answering`, so that a wrong call gets the same envelope as any other error. What a model does
 * not need to know costs it nothing: the dialect is the one MCP takes for granted, and bounds are told to who breaks
 * them.
 */
export const listed = <T extends z.ZodType>(schema: T): T => {
  const { jsonSchema } = schema['~standard'];
  const input = (options: Parameters<typeof jsonSchema.input>[0]) => brief(jsonSchema.input(options));
  const standard = {
    ...schema['~standard'],
    validate: (value: unknown) => ({ value }),
    jsonSchema: { ...jsonSchema, input },
  };
  return { '~standard': standard } as unknown as T;
};

const unneeded = ['$schema', 'minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum'];

function brief(schema: Record<string, unknown>): Record<string, unknown> {
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !(unneeded.includes(key) && !isObject(value)))
      .map(([key, value]) => [key, isObject(value) ? brief(value) : value]),
  );
}

/**
 * Claude Code hides tools behind a search for them, unless they say this. It stands on those whose moment has
 * passed once somebody would search for a tool: before deciding, before changing code, before reading it again.
 */
export const loadedAtOnce = { 'anthropic/alwaysLoad': true } as const;

/** What a tool does to its surroundings, as the protocol has it said. */
export const readsOnly = { readOnlyHint: true, openWorldHint: false } as const;
export const writesAgain = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

export const answering = <T extends z.ZodType>(
  schema: T,
  given: unknown,
  work: (checked: z.output<T>) => Promise<string>,
): Promise<ToolAnswer> =>
  answeringCode(schema, given, async (checked) => answer(await work(checked)), 'INVALID_ARGUMENT');

/**
 * The one place that every answer of every tool passes. Memory has been cleaned by whoever rendered it. Code stays true
 * to its file, so what is hidden in it, or in the name of a file, is written out and not dropped: an agent that edits
 * the line knows that something is there.
 */
const visible = ({ content, structuredContent, ...rest }: ToolAnswer): ToolAnswer => ({
  ...rest,
  content: content.map(({ type, text }) => ({ type, text: showHidden(text) })),
  ...(structuredContent === undefined
    ? {}
    : { structuredContent: mapStrings(structuredContent, showHidden) }),
});

/** A tool never throws: an error is an answer too. For tools that answer with an envelope as well. */
export async function answeringCode<T extends z.ZodType>(
  schema: T,
  given: unknown,
  work: (checked: z.output<T>) => Promise<ToolAnswer>,
  wrongCall: ErrorCode = 'INVALID_QUERY',
): Promise<ToolAnswer> {
  try {
    const checked = schema.safeParse(given ?? {});
    if (checked.success) return visible(await work(checked.data));
    const hint = 'Call the tool again with the parameters that its schema names';
    throw new AppError(wrongCall, z.prettifyError(checked.error), { hint });
  } catch (error) {
    return visible(failure(error));
  }
}
