import type { ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { RecallAnswer } from '../domain/hit.ts';
import { withSession } from '../memory/sessions/agent-sessions.ts';
import { parseFilter, questionOf } from '../recall/parse-filter.ts';
import { recallRecord, renderForAgent } from '../recall/render.ts';
import { renderListForAgent } from '../recall/render-list.ts';
import { quickLimits } from '../recall/with-index.ts';
import { recallWithTeam } from '../remote/recall-with-team.ts';
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
    'Search project memory: prompts, answers, decisions, commands. Without query: last work; kind rule lists rules, in sessions sessions.',
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
  const answer = await recallFor(parts, input, context);
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

type RecallInput = Omit<z.output<typeof schema>, 'format' | 'explain'>;

export async function recallFor(
  parts: McpParts,
  { query, wordings, limit, offset, ...filterText }: RecallInput,
  context: ServerContext,
): Promise<RecallAnswer> {
  const now = parts.clock.now();
  const filter = await withSession(parts.project, parseFilter(filterText, now));
  const client = await parts.follower.caller({ named: callSessionOf(context) }, now);
  return recallWithTeam(
    parts.project,
    {
      ...filter,
      ...questionOf({ text: query, wordings }, filter),
      now,
      offset: offset ?? 0,
      ...(limit === undefined ? {} : { limit }),
      askingSessions: client.kind === 'known' ? [client.agentSession] : client.open,
    },
    { ...quickLimits, ...progressReporter(context, parts.clock, 'bytes indexed') },
    parts.checkedCode,
  );
}
