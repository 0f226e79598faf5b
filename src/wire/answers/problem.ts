import { z } from 'zod';
import { count, listOf, object, text } from './fields.ts';

/** An error response, by RFC 9457 (problem details), with our code, hint and `retryable`. */
export const problem = object('Problem', {
  type: text.describe('identifies the kind of problem: `urn:backstory:problem:` and the code in lower case'),
  title: text.describe('the same for all problems of this status'),
  status: count,
  detail: text.describe('what happened'),
  code: text.describe('the same codes as those of commands and MCP tools'),
  hint: text.describe('a command to run or something to check'),
  retryable: z.boolean().describe('the same request may succeed later'),
  errors: listOf({ field: text.describe('name of the parameter, such as `files.0`'), detail: text })
    .optional()
    .describe('the parameters that are not valid'),
});
export type Problem = z.infer<typeof problem>;
