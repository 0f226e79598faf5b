import { basename, dirname, join } from 'node:path';
import { namesIn, readJson } from '../../base/files.ts';
import { type Json, list, parseObject, record, text, whole } from '../../base/json.ts';
import type { SessionName, Subagent } from '../../domain/event.ts';
import type { Observation } from '../agent.ts';
import { recentEntries } from '../bounded-map.ts';
import { stripOwnText, typedPrompt } from '../prompt-text.ts';
import {
  answerScope,
  compactionId,
  provisionalAnswer,
  provisionalPrompt,
  recordId,
} from '../provisional-ids.ts';
import {
  claudeFields,
  promptRecord,
  recordsOf,
  type SessionReading,
  startCalls,
  textIn,
  titleRecord,
  usageRecord,
} from '../transcript-messages.ts';
import { findJsonLines, firstText, jsonLines, type TranscriptSource } from '../transcript-source.ts';
import { readClaudeHistory } from './history.ts';
import { observeTool } from './hook.ts';

const agent = 'claude-code';

/**
 * Reads one of Claude Code's transcript files from a cursor. The event id comes from the record's uuid. A
 * fork copies records with the same uuids, and the caller keeps the first copy. An answer is linked to its prompt by
 * parentUuid, because records are not strictly in order.
 */
const readClaudeTranscript = recordsOf((file, turn, redact) => {
  const reading: Reading = {
    subagent: subagentOf(file),
    turn,
    turnOf: recentEntries(),
    calls: recentEntries(),
    message: { id: '', texts: [] },
    queue: [],
    names: new Map(),
    early: [],
    fields: {},
    pastes: pastesOf(file),
    redact,
  };
  return {
    // Other lines without a uuid, such as copies of requests, are much of the file. They are skipped without parsing.
    isRecord: (line) =>
      line.includes('"uuid"') || line.includes('"queue-operation"') || titleTypes.test(startOf(line)),
    read(value, offset) {
      if (value.type === 'queue-operation') return readQueue(value, reading);
      if (value.uuid === undefined) return readTitle(value, offset, reading);
      const observations = [...reading.early.splice(0), ...readRecord(value, reading)];
      return knownTypes.has(text(value.type)) ? observations : undefined;
    },
    common: (value) => {
      const { timestamp, sessionId } = value;
      if (value.uuid === undefined)
        return {
          ...reading.fields,
          ...(text(sessionId) === '' ? {} : { agentSession: text(sessionId) }),
          ...(text(timestamp) === '' ? {} : { at: text(timestamp) }),
        };
      reading.fields = claudeFields(value);
      return reading.fields;
    },
  };
});

/** Types of records with a uuid. Of attachments, only queued prompts are kept; of system and progress records, nothing. */
const knownTypes = new Set(['user', 'assistant', 'system', 'attachment', 'progress']);

interface Reading extends Pick<SessionReading, 'turn' | 'calls' | 'redact'> {
  subagent: Subagent | undefined;
  turnOf: Map<string, string>;
  /** Text blocks of the current message, which arrive as separate records but which the hook reports joined. */
  message: { id: string; texts: string[] };
  /** What was typed while the agent worked and is not sent yet. */
  queue: string[];
  /** The names of the session that were read, by who gave them. */
  names: Map<string, string>;
  /** Names before the first record that has a time. */
  early: Observation[];
  /** The pasted parts of a prompt of the session. */
  pastes(words: string): { pasted?: string[] };
  /** The common fields of the last record; records about the queue have few. */
  fields: Partial<Observation>;
}

/** The list of typed prompts is read at the first prompt. It is far above the transcript, in `projects/<project>`. */
function pastesOf(transcript: string): Reading['pastes'] {
  let known: Map<string, string[]> | undefined;
  const read = (): Map<string, string[]> => {
    const config = dirname(dirname(dirname(transcript)));
    const own = [...readClaudeHistory(config, basename(transcript, '.jsonl'))];
    return new Map(own.map(({ text: words, pasted }) => [words, pasted]));
  };
  return (words) => {
    known ??= read();
    const pasted = known.get(words);
    return pasted === undefined ? {} : { pasted };
  };
}

/** Subagents have files `<session>/subagents/agent-<id>.jsonl`, each with a `.meta.json` that contains the type. */
function subagentOf(file: string): Subagent | undefined {
  const id = /^agent-(.+)\.jsonl$/.exec(basename(file))?.[1];
  if (id === undefined) return undefined;
  const meta = readJson<{ agentType?: string }>(join(dirname(file), `agent-${id}.meta.json`));
  return { id, type: text(meta?.agentType) };
}

function readRecord(value: Json, reading: Reading): Observation[] {
  const uuid = text(value.uuid);
  if (uuid === '') return [];
  const turn = text(value.promptId) || reading.turnOf.get(text(value.parentUuid)) || reading.turn;
  reading.turnOf.set(uuid, turn);
  reading.turn = turn;
  // Versions of 2025 kept the records of subagents in the transcript of the session.
  const isInside = value.isSidechain === true && reading.subagent === undefined;
  const own = isInside ? { ...reading, subagent: { id: 'sidechain', type: '' } } : reading;
  if (value.type === 'user') return readUser(value, uuid, turn, own);
  if (value.type === 'attachment') return readAttachment(value, uuid, own);
  return value.type === 'assistant' ? readAssistant(value, uuid, turn, own) : [];
}

/** Older versions gave prompts no id: their turns are named after the record of the prompt, and hooks gave no turn. */
const unnamed = 'record ';
const reportedTurn = (turn: string): string => (turn.startsWith(unnamed) ? '' : turn);

function readUser(value: Json, uuid: string, turn: string, reading: Reading): Observation[] {
  const session = text(value.sessionId);
  const inTurn = { turn, ...(reading.subagent === undefined ? {} : { subagent: reading.subagent }) };
  if (value.isCompactSummary === true) {
    const id = recordId(agent, uuid);
    const body = {
      ...inTurn,
      trigger: 'transcript',
      supersedes: [compactionId(agent, session, reportedTurn(turn))],
    };
    return [{ kind: 'compaction', id, origin: 'system', trust: 1, body }];
  }
  if (value.isMeta === true || value.isVisibleInTranscriptOnly === true) return [];
  const content = record(value.message).content;
  const results = list(content)
    .map(record)
    .filter((block) => block.type === 'tool_result');
  if (results.length > 0) return results.flatMap((block) => readToolResult(value, block, inTurn, reading));
  if (value.promptSource === 'system' || !['', 'human'].includes(text(record(value.origin).kind))) return [];
  const raw = textIn(content);
  // Claude Code answers commands such as /clear itself. They start no turn. Others begin with their message.
  if (raw.startsWith('<command-name>') && value.turnOrigin === undefined) return [];
  if (reading.subagent !== undefined)
    return promptRecord({ ...reading, agent, session, turn, id: uuid, text: raw });
  const words = typedPrompt(raw);
  if (words === undefined) return [];
  const clean = reading.redact(words);
  // The second id is that of the same prompt in history.jsonl.
  const known = [text(value.promptId), ''].map((of) => provisionalPrompt(agent, session, of, clean));
  const started = text(value.promptId) || `${unnamed}${uuid}`;
  reading.turnOf.set(uuid, started);
  reading.turn = started;
  // Claude Code starts an accepted plan as a prompt of its own and keeps the plan beside it.
  const plan = text(value.planContent);
  const said = plan === '' ? { text: clean } : { text: reading.redact(plan), isPlan: true as const };
  const body = { ...inTurn, turn: started, ...said, supersedes: [...new Set(known)] };
  const common = { kind: 'prompt', isRedacted: true, origin: 'user', trust: 2 } as const;
  return [{ ...common, id: recordId(agent, uuid), body, ...reading.pastes(words) }];
}

/**
 * Follows the queue of what was typed while the agent worked. What is dequeued follows as an ordinary prompt, and
 * `popAll` puts it back into the input. What is removed was given to the agent during its turn.
 */
function readQueue({ operation, content, sessionId }: Json, reading: Reading): Observation[] {
  if (operation === 'enqueue') reading.queue.push(text(content));
  else if (operation === 'popAll') reading.queue = [];
  else {
    const sent = reading.queue.shift();
    if (operation === 'remove') return queuedPrompt(text(content) || (sent ?? ''), text(sessionId), reading);
  }
  return [];
}

const titleTypes = /"type":\s*"(?:custom-title|ai-title|summary|pr-link)"/;
const startLength = 64;
const startOf = (line: Buffer): string => line.toString('latin1', 0, startLength);

/**
 * A name of the session. Claude Code writes it again after each turn, and a summary may be that of another session, whose
 * last record it then names.
 */
function readTitle(value: Json, offset: number, reading: Reading): Observation[] {
  const named = nameIn(value, reading);
  const key = `${named.by} ${named.url ?? ''}`;
  if (named.title === '' || reading.names.get(key) === named.title) return [];
  reading.names.set(key, named.title);
  const session = text(value.sessionId);
  const found = titleRecord({ ...reading, agent, session }, `${session} ${offset}`, named);
  if (reading.fields.at !== undefined || value.timestamp !== undefined) return found;
  reading.early.push(...found);
  return [];
}

function nameIn(value: Json, { turnOf }: Reading): SessionName {
  switch (value.type) {
    case 'custom-title':
      return { title: text(value.customTitle), by: 'rename' };
    case 'pr-link':
      return {
        title: text(value.prUrl) && `#${whole(value.prNumber)}`,
        by: 'pull-request',
        url: text(value.prUrl),
      };
    case 'summary':
      return { title: turnOf.has(text(value.leafUuid)) ? text(value.summary) : '', by: 'agent' };
    default:
      return { title: text(value.aiTitle), by: 'agent' };
  }
}

/** Newer versions also keep what was given to the agent during its turn as an attachment. */
function readAttachment(value: Json, uuid: string, reading: Reading): Observation[] {
  const { type, commandMode, prompt, isMeta, origin } = record(value.attachment);
  const isTyped = commandMode === 'prompt' && ['', 'human'].includes(text(record(origin).kind));
  if (type !== 'queued_command' || !isTyped || isMeta === true || value.isMeta === true) return [];
  const raw = textIn(prompt);
  return queuedPrompt(raw, text(value.sessionId), reading, uuid);
}

/**
 * A prompt that is part of a running turn. Without a uuid it has the id that the same prompt has in history.jsonl, and
 * any other record of it replaces it.
 */
function queuedPrompt(raw: string, session: string, reading: Reading, uuid = ''): Observation[] {
  const words = typedPrompt(raw);
  if (words === undefined || reading.subagent !== undefined || isTaskNotice(words)) return [];
  const clean = reading.redact(words);
  const known = provisionalPrompt(agent, session, '', clean);
  const body = { turn: reading.turn, text: clean, asked: { question: '', option: '' } };
  const pastes = reading.pastes(words);
  const common = { kind: 'prompt', isRedacted: true, origin: 'user', trust: 2, ...pastes } as const;
  return uuid === ''
    ? [{ ...common, id: known, body }]
    : [{ ...common, id: recordId(agent, uuid), body: { ...body, supersedes: [known] } }];
}

const isTaskNotice = (words: string): boolean => text(parseObject(words)?.task_id) !== '';

function readAssistant(value: Json, uuid: string, turn: string, reading: Reading): Observation[] {
  const message = record(value.message);
  startCalls(message.content, reading);
  // An answer is written in several records with the same id; the last has all its tokens. Older versions name the cost.
  // Messages of the program itself, such as errors, have the model <synthetic>.
  const model = message.model === '<synthetic>' ? '' : message.model;
  const answered = { agent, id: text(message.id) || uuid, model, turn, subagent: reading.subagent } as const;
  const used = usageRecord(answered, message.usage, value.costUSD);
  const words = reading.redact(stripOwnText(textIn(message.content))).trim();
  if (words === '') return used;
  if (reading.message.id !== text(message.id)) reading.message = { id: text(message.id), texts: [] };
  reading.message.texts.push(words);
  const scope = answerScope(text(value.sessionId), reading.subagent?.id);
  // A hook may have reported this text block alone, or joined with the earlier blocks of the message. All these
  // variants are superseded by this record.
  const reported = new Set([words, ...['\n', '\n\n', ''].map((glue) => reading.message.texts.join(glue))]);
  const supersedes = [...reported].map((answer) =>
    provisionalAnswer(agent, scope, reportedTurn(turn), answer),
  );
  const subagent = reading.subagent === undefined ? {} : { subagent: reading.subagent };
  const body = { turn, ...subagent, text: words, supersedes };
  return [
    { kind: 'answer', id: recordId(agent, uuid), isRedacted: true, origin: 'assistant', trust: 1, body },
    ...used,
  ];
}

function readToolResult(
  value: Json,
  block: Json,
  inTurn: { turn: string; subagent?: Subagent },
  reading: Reading,
): Observation[] {
  const id = text(block.tool_use_id);
  const use = reading.calls.get(id);
  if (use === undefined) return [];
  const failed = block.is_error === true;
  const shown = textIn(block.content);
  const result = record(value.toolUseResult);
  return observeTool({ ...use, result, id, failed, error: failed ? shown : '', inTurn });
}

export const claudeTranscripts: TranscriptSource = {
  ...jsonLines,
  read: readClaudeTranscript,
  companions: subagentFiles,
  root: ({ config }) => join(config, 'projects'),
  find: (root) => findJsonLines(root, 1),
  originOf: (name) => {
    const stated = (field: string) => firstText(name, (value) => text(record(value.worktreeSession)[field]));
    return { folder: stated('originalCwd'), commit: stated('originalHeadCommit') };
  },
};

function subagentFiles(transcript: string): string[] {
  const folder = join(dirname(transcript), basename(transcript, '.jsonl'), 'subagents');
  return namesIn(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(folder, name));
}

/** The folder where Claude Code keeps a project's transcripts. The name cannot be converted back to the path. */
export function claudeProjectFolder(claudeFolder: string, root: string): string {
  const name = root.replace(/[^A-Za-z0-9]/g, '-');
  const maxNameLength = 200;
  if (name.length <= maxNameLength) return join(claudeFolder, 'projects', name);
  let hash = 0;
  for (let at = 0; at < root.length; at++) hash = ((hash << 5) - hash + root.charCodeAt(at)) | 0;
  return join(claudeFolder, 'projects', `${name.slice(0, maxNameLength)}-${Math.abs(hash).toString(36)}`);
}
