import { join } from 'node:path';
import { type Json, record, text } from '../../base/json.ts';
import type { Subagent } from '../../domain/event.ts';
import type { Observation } from '../agent.ts';
import { recentEntries } from '../bounded-map.ts';
import {
  answerRecord,
  compactionRecord,
  firstRecord,
  observeResult,
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
  const reading: SessionReading = { agent, session, cwd, turn, calls: recentEntries(), redact };
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
  const data = record(value.data);
  const id = text(value.id);
  const subagent = subagentOf(value, data);
  const message = { ...reading, subagent, id, text: text(data.content) };
  switch (value.type) {
    case 'user.message':
      // Messages from elsewhere, such as a skill, name their source.
      if (!['', 'user'].includes(text(data.source))) return [];
      reading.turn = text(data.interactionId) || id;
      return promptRecord({ ...message, turn: reading.turn, subagent: undefined });
    case 'assistant.message':
      return answerRecord(message);
    case 'tool.execution_start':
      reading.calls.set(text(data.toolCallId), {
        name: text(data.toolName),
        input: inputOf(data.arguments),
      });
      return [];
    case 'tool.execution_complete':
      return readResult(data, subagent, reading);
    // Its `cost` counts requests of a subscription, not dollars.
    case 'session.usage_record':
      return usageRecord({ ...message, model: record(data.usage).model }, data.usage);
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

function readResult(data: Json, subagent: Subagent | undefined, reading: SessionReading): Observation[] {
  const callId = text(data.toolCallId);
  const result = record(data.result);
  const isCommand = reading.calls.get(callId)?.name === 'bash';
  return observeResult(reading, callId, observeCopilotTool, {
    // Only `content` has what hooks added, but the other field is not always there.
    output: (isCommand && text(result.detailedContent)) || text(result.content),
    details: data,
    failed: data.success !== true,
    inTurn: { turn: reading.turn, ...(subagent === undefined ? {} : { subagent }) },
  });
}

export const copilotTranscripts: TranscriptSource = {
  ...jsonLines,
  read: readCopilotSession,
  root: ({ state }) => join(state, 'session-state'),
  find: (root) =>
    findJsonLines(root, 1, /^events\.jsonl$/, (value) => text(record(record(value.data).context).cwd)),
};
