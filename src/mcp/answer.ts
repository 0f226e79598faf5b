import type { ServerContext, ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { AppError, type ErrorCode, errorEnvelope } from '../base/errors.ts';
import type { ServedBody } from '../domain/event.ts';
import { fenceEndOf, harmless, mapStrings } from '../text/fence.ts';
import { showHidden } from '../text/hidden-characters.ts';

/**
 * The result of a tool. Some agents show their model the text, others the structured content, so where both exist
 * they carry the same information.
 */
export interface ToolAnswer {
  [key: string]: unknown;
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  /**
   * Whether the structured content is only for programs, as that of memory tools is: a model reads the same with fewer
   * tokens in the text. It is removed before the answer is sent.
   */
  isForPrograms?: boolean;
  /** What Backstory records about the answer. It is removed before the answer is sent. */
  served?: Pick<ServedBody, 'search' | 'memo'>;
  isError?: boolean;
}

/** Where tools are registered: an McpServer, or one whose answers are recorded. */
export interface ToolServer {
  registerTool(
    name: string,
    config: About & { inputSchema: z.ZodType; annotations: ToolAnnotations },
    handle: (given: unknown, context: ServerContext) => Promise<ToolAnswer>,
  ): unknown;
}

interface About {
  title?: string;
  description: string;
  _meta?: Record<string, unknown>;
}

export interface Tool<Schema extends z.ZodType> extends About {
  name: string;
  schema: Schema;
  /** What models are shown, if that is less than the tool accepts: every parameter costs tokens. */
  listed?: z.ZodType;
  /** By default those of a tool that only reads. */
  annotations?: ToolAnnotations;
  /** The code of the error about invalid arguments. */
  wrongCall?: ErrorCode;
}

/** Size limit of one tool answer. Agents truncate longer answers in the middle or move them to a file. */
export const maxAnswerBytes = 19_000;

/**
 * Enforces the size limit on the answer of every tool. Text is cut with a visible mark. Structured content cannot
 * be cut, so it is dropped if it is too large; the text carries the same information.
 */
export function withinLimit({ structuredContent, ...rest }: ToolAnswer): ToolAnswer {
  const fits = Buffer.byteLength(JSON.stringify(structuredContent ?? null)) <= maxAnswerBytes;
  const content = rest.content.flatMap(({ text }) => textAnswer(text).content);
  return { ...rest, content, ...(structuredContent !== undefined && fits ? { structuredContent } : {}) };
}

export function textAnswer(text: string): ToolAnswer {
  // If the text is cut, append the closing fence that marks the end of untrusted text.
  const close = fenceEndOf(text);
  const end = close === '' ? '' : `\n${close}`;
  return {
    content: [
      { type: 'text', text: cutToBytes(text, maxAnswerBytes, `\n… truncated; ask for less at once.${end}`) },
    ],
  };
}

/** Returns at most `limit` bytes. If text was cut off, the result ends with `note`, which counts towards the limit. */
export function cutToBytes(text: string, limit: number, note: string): string {
  if (Buffer.byteLength(text) <= limit) return text;
  const kept = Buffer.from(text)
    .subarray(0, limit - Buffer.byteLength(note))
    .toString('utf8');
  return kept.replace(/\uFFFD+$/, '') + note;
}

export const cutText = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`.toWellFormed();

export const errorAnswer = (error: unknown): ToolAnswer => {
  const envelope = errorEnvelope(error);
  return { ...textAnswer(JSON.stringify(envelope)), structuredContent: { ...envelope }, isError: true };
};

/**
 * Returns `schema` for the tool list only. The SDK does not validate with it: `addTool` does, so that invalid
 * arguments get the same error envelope as any other error. To save tokens, the listed schema omits the JSON Schema
 * dialect, which MCP implies, the bounds, which the error names when a call exceeds them, and the defaults.
 */
const schemaForListing = <T extends z.ZodType>(schema: T): T => {
  const { jsonSchema } = schema['~standard'];
  const input = (options: Parameters<typeof jsonSchema.input>[0]) =>
    withoutOmitted(jsonSchema.input(options));
  const standard = {
    ...schema['~standard'],
    validate: (value: unknown) => ({ value }),
    jsonSchema: { ...jsonSchema, input },
  };
  return { '~standard': standard } as unknown as T;
};

const bounds = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum'];
const omittedKeywords = ['$schema', ...bounds, 'default'];

function withoutOmitted(schema: Record<string, unknown>): Record<string, unknown> {
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !(omittedKeywords.includes(key) && !isObject(value)))
      .map(([key, value]) => [key, isObject(value) ? withoutOmitted(value) : value]),
  );
}

/**
 * Claude Code loads other tools only after the model has searched for them. These must be there from the start,
 * because a model does not search for a tool before it decides, changes code or re-reads a file.
 */
export const alwaysLoad = { 'anthropic/alwaysLoad': true } as const;

const readOnly = { readOnlyHint: true, openWorldHint: false } as const;
export const idempotentWrite = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/**
 * Makes hidden characters visible in every answer. Memory was already cleaned when it was rendered. In code and file
 * names they are escaped and not dropped, so that an agent which edits the line knows they are there.
 */
const escapeHidden = ({ content, structuredContent, ...rest }: ToolAnswer): ToolAnswer => ({
  ...rest,
  content: content.map(({ type, text }) => ({ type, text: showHidden(text) })),
  ...(structuredContent === undefined
    ? {}
    : { structuredContent: mapStrings(structuredContent, showHidden) }),
});

/** Registers a tool. Its arguments are validated, and any error becomes an answer. */
export function addTool<Schema extends z.ZodType>(
  server: ToolServer,
  tool: Tool<Schema>,
  work: (input: z.output<Schema>, context: ServerContext) => Promise<ToolAnswer>,
): void {
  const {
    name,
    schema,
    listed = schema,
    annotations = readOnly,
    wrongCall = 'INVALID_QUERY',
    ...about
  } = tool;
  const config = { ...about, annotations, inputSchema: schemaForListing(listed) };
  server.registerTool(name, config, async (given, context) => {
    try {
      const checked = schema.safeParse(given ?? {});
      if (checked.success) return escapeHidden(await work(checked.data, context));
      const hint = 'Correct the arguments to match the input schema, then call the tool again';
      throw new AppError(wrongCall, z.prettifyError(checked.error), { hint });
    } catch (error) {
      return escapeHidden(errorAnswer(error));
    }
  });
}

/** A text, with or without the same as a record for programs. */
export type TextAnswer = string | { text: string; record: object };

export const addTextTool = <Schema extends z.ZodType>(
  server: ToolServer,
  tool: Tool<Schema>,
  work: (input: z.output<Schema>, context: ServerContext) => Promise<TextAnswer>,
): void =>
  addTool(server, { wrongCall: 'INVALID_ARGUMENT', ...tool }, async (input, context) => {
    const done = await work(input, context);
    if (typeof done === 'string') return textAnswer(done);
    const structuredContent = mapStrings({ ...done.record }, harmless);
    return { ...textAnswer(done.text), structuredContent, isForPrograms: true };
  });
