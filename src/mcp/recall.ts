import type { ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { recallRecord, renderForAgent } from '../recall/render.ts';
import { renderListForAgent } from '../recall/render-list.ts';
import { quickLimits } from '../recall/with-index.ts';
import { type Asking, askRecall } from '../remote/recall-with-team.ts';
import { recallShape } from '../wire/recall-request.ts';
import { alwaysLoad } from './answer.ts';
import type { McpParts } from './parts.ts';
import { progressReporter } from './progress.ts';
import { callSessionOf } from './record-answers.ts';
import { itemsThatFit } from './session-answer.ts';
import { textTool } from './tool.ts';

const schema = z.object(recallShape);

export const recall = textTool({
  name: 'recall',
  description:
    'Search project memory: prompts, answers, decisions, commands. Without query: last work. kind=rule lists rules, in=sessions sessions.',
  schema,
  // The others are for people.
  listed: schema.omit({
    explain: true,
    trust: true,
    agent: true,
    branch: true,
    folder: true,
    concept: true,
    until: true,
  }),
  _meta: alwaysLoad,
  answer: answerRecall,
});

export async function answerRecall(
  parts: McpParts,
  { format = 'index', explain = false, ...input }: z.output<typeof schema>,
  context: ServerContext,
): Promise<{ text: string; record: object }> {
  const answer = await askRecall(parts.project, input, await askingFor(parts, context));
  const now = parts.clock.now();
  const question = input.query?.trim() || input.wordings?.[0] || '';
  const isList =
    question === '' && answer.recap === undefined && format !== 'full' && answer.match !== 'none';
  const { limit, offset } = input;
  const { hits, ...rest } = recallRecord(answer);
  return {
    text: isList
      ? renderListForAgent(answer, now, offset ?? 0)
      : renderForAgent(answer, question, { now, format, explain, limit, offset }),
    record: { ...rest, hits: itemsThatFit(hits) },
  };
}

export async function askingFor(
  { clock, follower, checkedCode }: McpParts,
  context: ServerContext,
): Promise<Asking> {
  const client = await follower.caller({ named: callSessionOf(context) }, clock.now());
  return {
    limits: { ...quickLimits, ...progressReporter(context, clock, 'bytes indexed') },
    code: checkedCode,
    askingSessions: client.open,
  };
}
