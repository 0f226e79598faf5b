import type { ServerContext } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import {
  addTextTool,
  addTool,
  type TextAnswer,
  type Tool,
  type ToolAnswer,
  type ToolServer,
} from './answer.ts';
import type { ServerParts } from './parts.ts';

export type LocalTool = (server: ToolServer, parts: ServerParts) => void;

type Definition<Schema extends z.ZodType, Answer> = Tool<Schema> & {
  answer(parts: ServerParts, input: z.output<Schema>, context: ServerContext): Promise<Answer>;
};

export const tool =
  <Schema extends z.ZodType>({ answer, ...about }: Definition<Schema, ToolAnswer>): LocalTool =>
  (server, parts) =>
    addTool(server, about, (input, context) => answer(parts, input, context));

export const textTool =
  <Schema extends z.ZodType>({ answer, ...about }: Definition<Schema, TextAnswer>): LocalTool =>
  (server, parts) =>
    addTextTool(server, about, (input, context) => answer(parts, input, context));
