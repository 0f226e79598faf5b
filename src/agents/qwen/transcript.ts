import { join } from 'node:path';
import { type Json, list, record, text } from '../../base/json.ts';
import type { Observation } from '../agent.ts';
import { recentEntries } from '../bounded-map.ts';
import { observeGeminiTool } from '../gemini/tools.ts';
import {
  answerRecord,
  claudeFields,
  compactionRecord,
  promptRecord,
  recordsOf,
  usageRecord,
} from '../transcript-messages.ts';
import { findJsonLines, jsonLines, type TranscriptSource } from '../transcript-source.ts';

/** Reads a session of Qwen Code. A turn is named by the record of its prompt. */
const agent = 'qwen';

interface Reading {
  turn: string;
  calls: Map<string, { name: string; input: Json }>;
  redact(words: string): string;
}

const readQwenSession = recordsOf((_file, turn, redact) => {
  const reading: Reading = { turn, calls: recentEntries(), redact };
  return { read: (value) => readRecord(value, reading), common: claudeFields };
});

function readRecord(value: Json, reading: Reading): Observation[] | undefined {
  const { redact } = reading;
  const id = text(value.uuid);
  const session = text(value.sessionId);
  const parts = list(record(value.message).parts).map(record);
  switch (value.type) {
    case 'user': {
      if (!['', 'real_user'].includes(text(value.provenance))) return [];
      reading.turn = id;
      const words = text(record(value.systemPayload).displayText) || textOf(parts);
      return promptRecord({ agent, session, turn: id, id, text: withoutContext(words) }, redact);
    }
    case 'assistant': {
      for (const { functionCall } of parts) {
        const call = record(functionCall);
        reading.calls.set(text(call.id), { name: text(call.name), input: record(call.args) });
      }
      return [
        ...answerRecord({ agent, session, turn: reading.turn, id, text: textOf(parts) }, redact),
        ...usageRecord({ agent, id, model: value.model, turn: reading.turn }, value.usageMetadata),
      ];
    }
    case 'tool_result':
      return readResult(value, parts, reading);
    case 'system':
      return value.subtype === 'chat_compression' ? compactionRecord(agent, id, reading.turn) : [];
    default:
      return undefined;
  }
}

/** Thoughts of the model are parts with text too. */
const textOf = (parts: Json[]): string =>
  parts
    .filter((part) => part.thought !== true)
    .map((part) => text(part.text))
    .filter((words) => words !== '')
    .join('\n');

const withoutContext = (words: string): string =>
  words.replace(/<qwen:user-prompt-submit-context>[\s\S]*?<\/qwen:user-prompt-submit-context>/g, '');

/** Reads are recorded by the hook, which knows the lines that the agent saw. */
function readResult(value: Json, parts: Json[], { turn, calls }: Reading): Observation[] {
  const result = record(value.toolCallResult);
  const callId = text(result.callId);
  const call = calls.get(callId);
  if (call === undefined) return [];
  const response = record(record(parts[0]?.functionResponse).response);
  return observeGeminiTool({
    agent,
    callId,
    tool: call.name,
    input: call.input,
    display: result.resultDisplay,
    output: text(response.output) || text(response.error),
    failed: result.status !== 'success',
    cwd: text(value.cwd),
    inTurn: { turn },
  }).filter(({ kind }) => kind !== 'read');
}

export const qwenTranscripts: TranscriptSource = {
  ...jsonLines,
  read: readQwenSession,
  root: ({ state }) => join(state, 'projects'),
  find: (root) => findJsonLines(root, 2, /^[0-9a-f-]+\.jsonl$/),
};
