import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Json, list, record, text } from '../../base/json.ts';
import type { Observation } from '../agent.ts';
import { answerRecord, firstRecord, promptRecord, recordsOf, usageRecord } from '../transcript-messages.ts';
import { findJsonLines, jsonLines, type TranscriptSource } from '../transcript-source.ts';
import { withoutHookContext } from './hook.ts';
import { observeGeminiTool } from './tools.ts';

/**
 * Reads a session of Gemini CLI. A message with tool calls is written again when they have finished; the id of an event
 * depends only on the message or call, so the copy is dropped.
 */
const agent = 'gemini';

interface Reading {
  session: string;
  cwd: string;
  turn: string;
  redact(words: string): string;
}

const readGeminiSession = recordsOf((file, turn, redact) => {
  const [session, cwd] = [text(firstRecord(file).sessionId), projectRootOf(file)];
  const reading: Reading = { session, cwd, turn, redact };
  return {
    read: (value) => readMessage(value, reading),
    common: (value) => ({ at: text(value.timestamp), agentSession: session, cwd }),
  };
});

/** The sessions of a project have no working directory, but a file beside them has. */
function projectRootOf(file: string): string {
  try {
    return readFileSync(join(dirname(dirname(file)), '.project_root'), 'utf8').trim();
  } catch {
    return '';
  }
}

/** Messages that are not the conversation: notices of the program to the user. */
const ignoredTypes = ['info', 'error', 'warning'];

function readMessage(value: Json, reading: Reading): Observation[] | undefined {
  const { session, redact } = reading;
  const id = text(value.id);
  // The first record describes the session, and records with `$set` change its description.
  if (id === '') return '$set' in value || 'sessionId' in value ? [] : undefined;
  if (value.type === 'user') {
    const words = withoutHookContext(textOf(value.displayContent) || textOf(value.content));
    // Results of tools are user messages too; they are read with their call.
    if (words.trim() === '' || words.startsWith('<session_context>')) return [];
    reading.turn = id;
    return promptRecord({ agent, session, turn: id, id, text: words }, redact);
  }
  if (value.type !== 'gemini') return ignoredTypes.includes(text(value.type)) ? [] : undefined;
  const { turn } = reading;
  const calls = list(value.toolCalls).map(record).filter(isFinished);
  return [
    ...answerRecord({ agent, session, turn, id, text: textOf(value.content) }, redact),
    ...calls.flatMap((call) => readCall(call, reading)),
    ...usageRecord({ agent, id, model: value.model, turn }, value.tokens),
  ];
}

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

const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : list(content)
        .map((part) => text(record(part).text))
        .filter((words) => words !== '')
        .join('\n');

export const geminiTranscripts: TranscriptSource = {
  ...jsonLines,
  read: readGeminiSession,
  root: ({ state }) => join(state, 'tmp'),
  find: (root) => findJsonLines(root, 2, /^session-.*\.jsonl$/, (_value, file) => projectRootOf(file)),
};
