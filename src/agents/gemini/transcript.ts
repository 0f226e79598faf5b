import { dirname, join } from 'node:path';
import { readIfThere } from '../../base/files.ts';
import { type Json, list, record, text } from '../../base/json.ts';
import type { Observation } from '../agent.ts';
import {
  answerRecord,
  firstRecord,
  promptRecord,
  recordsOf,
  type SessionReading,
  textIn,
  titleRecord,
  usageRecord,
} from '../transcript-messages.ts';
import { findFiles, jsonLines, type TranscriptSource } from '../transcript-source.ts';
import { withoutHookContext } from './hook.ts';
import { observeGeminiTool } from './tools.ts';

/**
 * Reads a session of Gemini CLI. A message with tool calls is written again when they have finished; the id of an event
 * depends only on the message or call, so the copy is dropped.
 */
const agent = 'gemini';

type Reading = Omit<SessionReading, 'calls'>;

const readGeminiSession = recordsOf((file, turn, redact) => {
  const [session, cwd] = [text(firstRecord(file).sessionId), projectRootOf(file)];
  const reading: Reading = { agent, session, cwd, turn, redact };
  return {
    read: (value, offset) => readMessage(value, reading, offset),
    common: (value) => ({ at: text(value.timestamp), agentSession: session, cwd }),
  };
});

/** The sessions of a project have no working directory, but a file beside them has. */
const projectRootOf = (file: string): string =>
  (readIfThere(join(dirname(dirname(file)), '.project_root')) ?? '').trim();

/** Messages that are not the conversation: notices of the program to the user. */
const ignoredTypes = ['info', 'error', 'warning'];

function readMessage(value: Json, reading: Reading, offset: number): Observation[] | undefined {
  const id = text(value.id);
  // The first record describes the session, and records with `$set` change its description.
  if (id === '') {
    const { summary } = record(value.$set ?? value);
    const named = titleRecord(reading, offset, { title: text(summary), by: 'agent' });
    return '$set' in value || 'sessionId' in value ? named : undefined;
  }
  if (value.type === 'user') {
    const words = withoutHookContext(textIn(value.displayContent) || textIn(value.content));
    const reported = withoutHookContext(sentText(value.content));
    // Results of tools are user messages too; they are read with their call.
    const prompt = promptRecord({ ...reading, id, turn: id, text: words, reported });
    if (prompt.length > 0) reading.turn = id;
    return prompt;
  }
  if (value.type !== 'gemini') return ignoredTypes.includes(text(value.type)) ? [] : undefined;
  const calls = list(value.toolCalls).map(record).filter(isFinished);
  return [
    ...answerRecord({ ...reading, id, text: textIn(value.content) }),
    ...calls.flatMap((call) => readCall(call, reading)),
    ...usageRecord({ ...reading, id, model: value.model }, value.tokens),
  ];
}

/** A message as hooks report it. */
const sentText = (content: unknown): string =>
  list(content)
    .map(record)
    .map((part) => text(part.text))
    .join('');

const isFinished = ({ status }: Json): boolean => ['success', 'error', 'cancelled'].includes(text(status));

/** Reads are recorded by the hook, which knows the lines that the agent saw. */
function readCall(call: Json, { cwd, turn }: Reading): Observation[] {
  const response = list(call.result)
    .map((part) => record(record(record(part).functionResponse).response))
    .map(({ output, error }) => text(output) || text(error))
    .join('\n');
  return observeGeminiTool({
    agent,
    callId: text(call.id),
    tool: text(call.name),
    input: record(call.args),
    display: call.resultDisplay,
    output: withoutHookContext(response),
    failed: call.status !== 'success',
    cwd,
    inTurn: { turn },
  }).filter(({ kind }) => kind !== 'read');
}

export const geminiTranscripts: TranscriptSource = {
  ...jsonLines,
  read: readGeminiSession,
  root: ({ state }) => join(state, 'tmp'),
  find: (root) => findFiles(root, 2, /^session-.*\.jsonl$/, projectRootOf),
};
