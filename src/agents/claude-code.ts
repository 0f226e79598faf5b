import { hashId, lineHash } from '../base/hash.ts';
import { sha256 } from '../base/ids.ts';
import { type Json, list, record, text, whole } from '../base/json.ts';
import type { EditHunk, Subagent } from '../domain/event.ts';
import { estimateTokens } from '../text/tokens.ts';
import type { HookCall, HookEnvironment, Observation } from './agent.ts';
import { wholeFileHunk } from './apply-patch.ts';
import { answerScope, compactionId, provisionalAnswer, provisionalPrompt, recordId } from './provisional.ts';
import { promptWords } from './words.ts';

/**
 * Claude Code's dialect: what its hooks say on stdin, turned into observations. Reading its transcripts is
 * in claude-transcript.ts; both give a record the same id, so whichever comes second is folded away.
 */
const agent = 'claude-code';

const eventNames: Record<string, HookCall['event']> = {
  SessionStart: 'session-start',
  UserPromptSubmit: 'prompt',
  PostToolUse: 'tool',
  PostToolUseFailure: 'tool',
  Stop: 'stop',
  SubagentStop: 'subagent-stop',
  PreCompact: 'compact',
  SessionEnd: 'session-end',
  // Not Claude Code's: how `backstory doctor` proves that the installed command works.
  BackstoryProbe: 'probe',
};

export function readClaudeHook(stdin: Json, environment: HookEnvironment): HookCall {
  const subagentId = text(stdin.agent_id);
  const subagent = subagentId === '' ? undefined : { id: subagentId, type: text(stdin.agent_type) };
  const call: HookCall = {
    agent,
    agentVersion: /claude-code_(\d+)-(\d+)-(\d+)/.exec(environment.aiAgent)?.slice(1).join('.') ?? '',
    event: eventNames[text(stdin.hook_event_name)] ?? 'ignored',
    agentSession: text(stdin.session_id),
    cwd: text(stdin.cwd),
    clientPid: environment.clientPid,
    turn: text(stdin.prompt_id),
    transcript: text(stdin.transcript_path),
    cause: text(stdin.source) || text(stdin.reason) || text(stdin.trigger),
    ...(typeof stdin.seconds_since_last_response === 'number'
      ? { quietSeconds: stdin.seconds_since_last_response }
      : {}),
    ...(subagent === undefined ? {} : { subagent }),
    observations: [],
  };
  return { ...call, observations: observe(call, stdin, environment) };
}

function observe(call: HookCall, stdin: Json, environment: HookEnvironment): Observation[] {
  const inTurn = { turn: call.turn, ...(call.subagent === undefined ? {} : { subagent: call.subagent }) };
  switch (call.event) {
    case 'session-start':
    case 'session-end': {
      const phase = call.event === 'session-start' ? 'start' : 'end';
      const id = hashId(agent, call.agentSession, phase, call.cause, String(environment.nowMs));
      const body = { phase, cause: call.cause } as const;
      // Its source is the transcript's beginning: from there on it will be read.
      const source = call.transcript === '' ? {} : { source: { file: call.transcript, offset: 0 } };
      return [{ kind: 'session', id, origin: 'system', trust: 1, body, ...source }];
    }
    case 'prompt': {
      const words = promptWords(text(stdin.prompt));
      if (words === undefined) return [];
      const clean = environment.redact(words);
      const id = provisionalPrompt(agent, call.agentSession, call.turn, clean);
      return [
        { kind: 'prompt', id, isClean: true, origin: 'user', trust: 2, body: { ...inTurn, text: clean } },
      ];
    }
    case 'tool':
      return observeTool({
        name: text(stdin.tool_name),
        input: record(stdin.tool_input),
        result: record(stdin.tool_response),
        id: text(stdin.tool_use_id),
        failed: stdin.hook_event_name === 'PostToolUseFailure',
        error: text(stdin.error),
        inTurn,
      });
    case 'stop':
    case 'subagent-stop': {
      // A compaction shows up as a subagent without a type; its answer is a summary of what is recorded already.
      if (call.event === 'subagent-stop' && call.subagent?.type === '') return [];
      const clean = environment.redact(text(stdin.last_assistant_message)).trim();
      if (clean === '') return [];
      const id = provisionalAnswer(
        agent,
        answerScope(call.agentSession, call.subagent?.id),
        call.turn,
        clean,
      );
      const body = { ...inTurn, text: clean };
      return [{ kind: 'answer', id, isClean: true, origin: 'assistant', trust: 1, body }];
    }
    case 'compact': {
      const id = compactionId(agent, call.agentSession, call.turn);
      return [
        { kind: 'compaction', id, origin: 'system', trust: 1, body: { ...inTurn, trigger: call.cause } },
      ];
    }
    case 'probe': {
      const nonce = text(stdin.nonce);
      return [{ kind: 'probe', id: hashId('probe', nonce), origin: 'system', trust: 1, body: { nonce } }];
    }
    default:
      return [];
  }
}

interface ToolUse {
  name: string;
  input: Json;
  /** The rich result; a plain string result is given as {}. */
  result: Json;
  id: string;
  failed: boolean;
  error: string;
  inTurn: { turn?: string; subagent?: Subagent };
}

const editTools = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit']);

export function observeTool(use: ToolUse): Observation[] {
  const { name, input, result, inTurn, failed } = use;
  if (use.id === '' || name === '') return [];
  const id = recordId(agent, use.id);
  const origin = 'tool';
  if (editTools.has(name) && !failed) {
    const path = text(result.filePath) || text(input.file_path) || text(input.notebook_path);
    const created = result.type === 'create';
    const hunks = created
      ? [wholeFileHunk(text(result.content) || text(input.content), 'added')]
      : readHunks(result);
    const body = { ...inTurn, tool: name, path, ...(created ? { created } : {}), hunks };
    return [{ kind: 'edit', id, origin, trust: 1, body }];
  }
  if (name === 'Bash') return [observeCommand(id, use)];
  if (name === 'Read' && !failed) {
    const file = record(result.file);
    const path = text(file.filePath) || text(input.file_path);
    const content = text(file.content);
    const startLine = whole(file.startLine) || 1;
    const body = { path, startLine, lines: whole(file.numLines), hash: sha256(content).slice(0, 32) };
    return [
      { kind: 'read', id, origin, trust: 1, body: { ...inTurn, ...body, tokens: estimateTokens(content) } },
    ];
  }
  return [{ kind: 'tool', id, origin, trust: 1, body: { ...inTurn, tool: name, ok: !failed } }];
}

const outputTail = 2_000;

function observeCommand(id: string, use: ToolUse): Observation {
  const exit = /Exit code (\d+)/.exec(use.error)?.[1];
  const said = use.failed ? use.error : [text(use.result.stdout), text(use.result.stderr)].join('\n').trim();
  // The end of the output is where test runners and compilers say what went wrong.
  const output = said.length > outputTail ? `…${said.slice(-outputTail)}` : said;
  const body = {
    ...use.inTurn,
    command: text(use.input.command),
    ok: !use.failed,
    ...(use.failed ? (exit === undefined ? {} : { exit: Number(exit) }) : { exit: 0 }),
    ...(output === '' ? {} : { output }),
  };
  // Output is third-party text, so the whole event is trusted no more than that.
  return { kind: 'command', id, origin: 'tool', trust: 0, body };
}

function readHunks(result: Json): EditHunk[] {
  return list(result.structuredPatch).map((value) => {
    const hunk = record(value);
    const lines = list(hunk.lines).map(text);
    const starting = (sign: string) =>
      lines.filter((line) => line.startsWith(sign)).map((line) => lineHash(line.slice(1)));
    return {
      oldStart: whole(hunk.oldStart),
      newStart: whole(hunk.newStart),
      added: starting('+'),
      removed: starting('-'),
    };
  });
}
