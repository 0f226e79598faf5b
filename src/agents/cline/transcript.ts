import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readJson } from '../../base/files.ts';
import { type Json, list, record, text, whole } from '../../base/json.ts';
import type { Observation, TranscriptCursor, TranscriptStep } from '../agent.ts';
import { recentEntries } from '../bounded-map.ts';
import {
  answerRecord,
  observeResult,
  promptRecord,
  recordTime,
  type SessionReading,
  startCalls,
  textIn,
  usageRecord,
} from '../transcript-messages.ts';
import { findFiles, jsonLines, type TranscriptSource } from '../transcript-source.ts';
import { observeClineTool } from './tools.ts';
import { typedInput } from './typed-input.ts';

/**
 * Reads a session of Cline: one JSON file that Cline writes again after each message. Offsets are the numbers of
 * messages.
 */
const agent = 'cline';
const ending = '.messages.json';
/** A session is held in memory as a whole. Larger ones are not read. */
const maxBytes = 64 * 1024 * 1024;

function* readClineSession(
  file: string,
  displayFile: string,
  from: TranscriptCursor,
  redact: (words: string) => string,
): Generator<TranscriptStep> {
  const session = basename(file, ending);
  const reading: SessionReading = {
    agent,
    session,
    cwd: cwdOf(file),
    turn: from.turn,
    calls: recentEntries(),
    redact,
  };
  const messages =
    (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > maxBytes
      ? []
      : list(readJson<Json>(file)?.messages);
  for (const [at, value] of messages.entries()) {
    if (at < from.offset) continue;
    const message = record(value);
    const observations = readMessage(message, reading);
    yield {
      observations: (observations ?? []).map((observation) => ({
        ...observation,
        at: recordTime(whole(message.ts)),
        agentSession: session,
        cwd: reading.cwd,
        source: { file: displayFile, offset: at },
      })),
      end: at + 1,
      ...(observations === undefined ? { unknown: text(message.role) || text(message.type) } : {}),
    };
  }
}

/** The session's own file, beside its messages, has its working directory. */
const cwdOf = (file: string): string =>
  text(readJson<Json>(join(dirname(file), `${basename(file, ending)}.json`))?.cwd);

/** Text that Cline or a hook added to the conversation as the user's. */
const untyped = /^\s*(?:\[SYSTEM\]|<hook_context)/;

function readMessage(message: Json, reading: SessionReading): Observation[] | undefined {
  const { content, metrics } = message;
  const said = { ...reading, id: text(message.id), text: textIn(content) };
  const blocks = list(content).map(record);
  if (message.role === 'assistant') {
    startCalls(content, reading);
    // A run without a terminal ends with this call; its summary is the answer.
    const ended = blocks.filter(({ type, name }) => type === 'tool_use' && name === 'submit_and_exit');
    return [
      ...answerRecord(said),
      ...ended.flatMap(({ id, input }) =>
        answerRecord({ ...said, id: text(id), text: text(record(input).summary) }),
      ),
      ...usageRecord({ ...said, model: record(message.modelInfo).id }, metrics, record(metrics).cost),
    ];
  }
  if (message.role !== 'user') return undefined;
  const results = blocks.filter(({ type }) => type === 'tool_result');
  if (results.length > 0)
    return results.flatMap(({ tool_use_id: callId, content: output }) =>
      reading.calls.get(text(callId))?.name === 'submit_and_exit'
        ? []
        : observeResult(reading, text(callId), observeClineTool, { output }),
    );
  if (untyped.test(said.text)) return [];
  const typed = typedInput(said.text, reading.cwd);
  const prompt = promptRecord({ ...said, turn: said.id, text: typed });
  if (prompt.length > 0) reading.turn = said.id;
  return prompt;
}

export const clineTranscripts: TranscriptSource = {
  ...jsonLines,
  read: readClineSession,
  fileOf: (name) => (name.endsWith(ending) ? name : undefined),
  root: ({ state }) => join(state, 'sessions'),
  find: (root) => findFiles(root, 1, /\.messages\.json$/, cwdOf),
};
