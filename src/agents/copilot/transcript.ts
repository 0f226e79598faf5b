import { join } from 'node:path';
import { type Json, record, text } from '../../base/json.ts';
import type { Subagent } from '../../domain/event.ts';
import type { Observation } from '../agent.ts';
import { recentEntries } from '../bounded-map.ts';
import {
  answerRecord,
  compactionRecord,
  firstRecord,
  promptRecord,
  recordsOf,
  type SessionReading,
  usageRecord,
} from '../transcript-messages.ts';
import { findJsonLines, jsonLines, type TranscriptSource } from '../transcript-source.ts';
import { observeCopilotTool } from './tools.ts';

/** Reads a session of GitHub Copilot CLI. Its `interactionId` names a turn of the user. */
const agent = 'copilot';

const readCopilotSession = recordsOf((file, turn, redact) => {
  const start = record(firstRecord(file).data);
  const context = record(start.context);
  const [session, cwd] = [text(start.sessionId), text(context.cwd)];
  const reading: SessionReading = { session, cwd, turn, calls: recentEntries(), redact };
  return {
    read: (value) => readRecord(value, reading),
    common: (value) => ({
      at: text(value.timestamp),
      agentSession: session,
      agentVersion: text(start.copilotVersion),
      branch: text(context.branch),
      cwd,
    }),
  };
});

/** The first word of the type of an event names its group. Other groups are unknown. */
const ignoredGroups =
  /^(?:session|hook|system|assistant|tool|user|subagent|permission|skill|abort|model|mcp|command|external_tool|pending_messages|elicitation|notification)(?:\.|$)/;

function readRecord(value: Json, reading: SessionReading): Observation[] | undefined {
  const { session, redact } = reading;
  const data = record(value.data);
  const id = text(value.id);
  const subagent = subagentOf(value, data);
  const inTurn = { turn: reading.turn, ...(subagent === undefined ? {} : { subagent }) };
  switch (value.type) {
    case 'user.message': {
      // Messages from elsewhere, such as a skill, name their source.
      if (!['', 'user'].includes(text(data.source))) return [];
      reading.turn = text(data.interactionId) || id;
      return promptRecord({ agent, session, turn: reading.turn, id, text: text(data.content) }, redact);
    }
    case 'assistant.message':
      return answerRecord({ agent, session, ...inTurn, id, text: text(data.content) }, redact);
    case 'tool.execution_start':
      reading.calls.set(text(data.toolCallId), {
        name: text(data.toolName),
        input: inputOf(data.arguments),
      });
      return [];
    case 'tool.execution_complete':
      return readResult(data, inTurn, reading);
    // Its `cost` counts requests of a subscription, not dollars.
    case 'session.usage_record':
      return usageRecord({ agent, id, model: record(data.usage).model, ...inTurn }, data.usage);
    case 'session.compaction_complete':
      return compactionRecord(agent, id, reading.turn);
    default:
      return ignoredGroups.test(text(value.type)) ? [] : undefined;
  }
}

/** A subagent's events name the tool call that started it. */
function subagentOf(value: Json, data: Json): Subagent | undefined {
  const id = text(value.agentId) || text(data.parentToolCallId);
  return id === '' ? undefined : { id, type: 'task' };
}

/** A tool without a schema, such as apply_patch, has its input as one text. */
const inputOf = (input: unknown): Json => (typeof input === 'string' ? { input } : record(input));

/** Reads are recorded by the hook, which knows the lines that the agent saw. */
function readResult(
  data: Json,
  inTurn: { turn: string; subagent?: Subagent },
  { cwd, calls }: SessionReading,
): Observation[] {
  const callId = text(data.toolCallId);
  const call = calls.get(callId);
  if (call === undefined) return [];
  const result = record(data.result);
  return observeCopilotTool({
    agent,
    callId,
    tool: call.name,
    input: call.input,
    // Only `content` has what hooks added, but the other field is not always there.
    output: (call.name === 'bash' && text(result.detailedContent)) || text(result.content),
    details: data,
    failed: data.success !== true,
    cwd,
    inTurn,
  }).filter(({ kind }) => kind !== 'read');
}

export const copilotTranscripts: TranscriptSource = {
  ...jsonLines,
  read: readCopilotSession,
  root: ({ state }) => join(state, 'session-state'),
  find: (root) =>
    findJsonLines(root, 1, /^events\.jsonl$/, (value) => text(record(record(value.data).context).cwd)),
};
