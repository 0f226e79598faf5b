import { join } from 'node:path';
import { type Json, list, record, text } from '../../base/json.ts';
import type { Observation } from '../agent.ts';
import { recentEntries } from '../bounded-map.ts';
import { observeGeminiTool } from '../gemini/tools.ts';
import {
  answerRecord,
  claudeFields,
  compactionRecord,
  observeResult,
  promptRecord,
  recordsOf,
  type SessionReading,
  textIn,
  titleRecord,
  usageRecord,
} from '../transcript-messages.ts';
import { findJsonLines, jsonLines, type TranscriptSource } from '../transcript-source.ts';

/** Reads a session of Qwen Code. A turn is named by the record of its prompt. */
const agent = 'qwen';

const readQwenSession = recordsOf((_file, turn, redact) => {
  const reading: SessionReading = { agent, session: '', cwd: '', turn, calls: recentEntries(), redact };
  return { read: (value) => readRecord(value, reading), common: claudeFields };
});

function readRecord(value: Json, reading: SessionReading): Observation[] | undefined {
  const id = text(value.uuid);
  Object.assign(reading, { session: text(value.sessionId), cwd: text(value.cwd) });
  const parts = list(record(value.message).parts).map(record);
  const message = { ...reading, id, text: textIn(parts) };
  switch (value.type) {
    case 'user': {
      if (!['', 'real_user'].includes(text(value.provenance))) return [];
      reading.turn = id;
      const words = text(record(value.systemPayload).displayText) || message.text;
      return promptRecord({ ...message, turn: id, text: withoutContext(words) });
    }
    case 'assistant':
      for (const { functionCall } of parts) {
        const call = record(functionCall);
        reading.calls.set(text(call.id), { name: text(call.name), input: record(call.args) });
      }
      return [
        ...answerRecord(message),
        ...usageRecord({ ...message, model: value.model }, value.usageMetadata),
      ];
    case 'tool_result': {
      const result = record(value.toolCallResult);
      const response = record(record(parts[0]?.functionResponse).response);
      return observeResult(reading, text(result.callId), observeGeminiTool, {
        display: result.resultDisplay,
        output: text(response.output) || text(response.error),
        failed: result.status !== 'success',
      });
    }
    case 'system':
      if (value.subtype === 'custom_title') {
        const { customTitle, titleSource } = record(value.systemPayload);
        const by = titleSource === 'auto' ? 'agent' : 'rename';
        return titleRecord(reading, id, { title: text(customTitle), by });
      }
      return value.subtype === 'chat_compression' ? compactionRecord(agent, id, reading.turn) : [];
    default:
      return undefined;
  }
}

const withoutContext = (words: string): string =>
  words.replace(/<qwen:user-prompt-submit-context>[\s\S]*?<\/qwen:user-prompt-submit-context>/g, '');

export const qwenTranscripts: TranscriptSource = {
  ...jsonLines,
  read: readQwenSession,
  root: ({ state }) => join(state, 'projects'),
  find: (root) => findJsonLines(root, 2, /^[0-9a-f-]+\.jsonl$/),
};
