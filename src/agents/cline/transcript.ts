import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readJson } from '../../base/files.ts';
import { type Json, list, record, text, whole } from '../../base/json.ts';
import type { Observation, TranscriptCursor, TranscriptStep } from '../agent.ts';
import { recentEntries } from '../bounded-map.ts';
import {
  answerRecord,
  promptRecord,
  recordTime,
  type SessionReading,
  usageRecord,
} from '../transcript-messages.ts';
import { jsonLines, type TranscriptFile, type TranscriptSource } from '../transcript-source.ts';
import { observeClineTool } from './tools.ts';

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
    session,
    cwd: cwdOf(file),
    turn: from.turn,
    calls: recentEntries(),
    redact,
  };
  const messages = sizeOf(file) > maxBytes ? [] : list(readJson<Json>(file)?.messages);
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

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}

/** Text that Cline or a hook added to the conversation as the user's. */
const untyped = /^\s*(?:\[SYSTEM\]|<hook_context)/;

function readMessage(message: Json, reading: SessionReading): Observation[] | undefined {
  const { session, redact } = reading;
  const id = text(message.id);
  const blocks =
    typeof message.content === 'string'
      ? [{ type: 'text', text: message.content }]
      : list(message.content).map(record);
  const words = blocks
    .filter(({ type }) => type === 'text')
    .map((block) => text(record(block).text))
    .join('\n');
  if (message.role === 'assistant')
    return [
      ...readAssistant(id, words, blocks, reading),
      ...usageRecord(
        { agent, id, model: record(message.modelInfo).id, turn: reading.turn },
        message.metrics,
        record(message.metrics).cost,
      ),
    ];
  if (message.role !== 'user') return undefined;
  const results = blocks.map(record).filter(({ type }) => type === 'tool_result');
  if (results.length > 0) return results.flatMap((block) => readResult(block, reading));
  if (untyped.test(words)) return [];
  const typed = /<user_input[^>]*>([\s\S]*?)<\/user_input>/.exec(words)?.[1] ?? words;
  const prompt = promptRecord({ agent, session, turn: id, id, text: typed }, redact);
  if (prompt.length > 0) reading.turn = id;
  return prompt;
}

function readAssistant(id: string, words: string, blocks: Json[], reading: SessionReading): Observation[] {
  const { session, turn, redact } = reading;
  const calls = blocks.filter(({ type }) => type === 'tool_use');
  for (const call of calls)
    reading.calls.set(text(call.id), { name: text(call.name), input: record(call.input) });
  // A run without a terminal ends with this call; its summary is the answer.
  const ended = calls.filter(({ name }) => name === 'submit_and_exit');
  return [
    ...answerRecord({ agent, session, turn, id, text: words }, redact),
    ...ended.flatMap((call) =>
      answerRecord(
        { agent, session, turn, id: text(call.id), text: text(record(call.input).summary) },
        redact,
      ),
    ),
  ];
}

/** Reads are recorded by the hook, which knows the lines that the agent saw. */
function readResult(block: Json, { cwd, turn, calls }: SessionReading): Observation[] {
  const callId = text(block.tool_use_id);
  const call = calls.get(callId);
  if (call === undefined || call.name === 'submit_and_exit') return [];
  return observeClineTool({
    agent,
    callId,
    tool: call.name,
    input: call.input,
    output: block.content,
    cwd,
    inTurn: { turn },
  }).filter(({ kind }) => kind !== 'read');
}

function findSessions(root: string): TranscriptFile[] {
  const folders = (() => {
    try {
      return readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    } catch {
      return [];
    }
  })();
  return folders.flatMap(({ name }) => {
    const file = join(root, name, `${name}${ending}`);
    const cwd = cwdOf(file);
    const found = statSync(file, { throwIfNoEntry: false });
    if (cwd === '' || found === undefined) return [];
    return [{ file, bytes: found.size, changed: found.mtimeMs, cwd }];
  });
}

export const clineTranscripts: TranscriptSource = {
  ...jsonLines,
  read: readClineSession,
  fileOf: (name) => (name.endsWith(ending) ? name : undefined),
  root: ({ state }) => join(state, 'sessions'),
  find: findSessions,
};
