import { hashId, lineHash } from '../../base/hash.ts';
import { type Json, list, record, text, whole } from '../../base/json.ts';
import type { EditHunk, Subagent } from '../../domain/event.ts';
import type { FileChange, HookCall, HookEnvironment, Observation } from '../agent.ts';
import { wholeFileHunk } from '../apply-patch.ts';
import { claudeCall, claudeEventNames } from '../claude-like-hook.ts';
import { inTurnOf, observeCall, observeRead } from '../observe.ts';
import { typedPrompt } from '../prompt-text.ts';
import { recordId } from '../provisional-ids.ts';
import { type FinishedCall, ranCommand, usedTool } from '../tool-observations.ts';

/**
 * Converts hook calls of Claude Code to observations. transcript.ts does the same for its transcripts; both give
 * a record the same id, so the second copy is dropped as a duplicate.
 */
const agent = 'claude-code';

const eventNames: Record<string, HookCall['event']> = {
  ...claudeEventNames,
  // Sent by `backstory doctor` to test the installed command.
  BackstoryProbe: 'probe',
};

export function readClaudeHook(stdin: Json, environment: HookEnvironment): HookCall {
  const call: HookCall = {
    ...claudeCall(agent, eventNames, stdin, environment),
    agentVersion: /claude-code_(\d+)-(\d+)-(\d+)/.exec(environment.aiAgent)?.slice(1).join('.') ?? '',
    turn: text(stdin.prompt_id),
    ...(typeof stdin.seconds_since_last_response === 'number'
      ? { idleSeconds: stdin.seconds_since_last_response }
      : {}),
  };
  return { ...call, observations: observe(call, stdin, environment) };
}

function observe(call: HookCall, stdin: Json, environment: HookEnvironment): Observation[] {
  if (call.event === 'probe') {
    const nonce = text(stdin.nonce);
    return [{ kind: 'probe', id: hashId('probe', nonce), origin: 'system', trust: 1, body: { nonce } }];
  }
  // Claude Code reports a compaction as a subagent without a type. The answer of that subagent only summarises
  // recorded events, so it is skipped.
  if (call.event === 'subagent-stop' && call.subagent?.type === '') return [];
  const tool = (): Observation[] =>
    observeTool({
      name: text(stdin.tool_name),
      input: record(stdin.tool_input),
      result: record(stdin.tool_response),
      id: text(stdin.tool_use_id),
      failed: stdin.hook_event_name === 'PostToolUseFailure',
      error: text(stdin.error),
      inTurn: inTurnOf(call),
    });
  const words = {
    prompt: () => text(stdin.prompt),
    answer: () => text(stdin.last_assistant_message),
    tool,
  };
  return observeCall(call, words, environment);
}

interface ToolUse {
  name: string;
  input: Json;
  /** The structured result; {} if the tool returned a plain string. */
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
    const change = changeOf(use);
    const hunks = created ? [wholeFileHunk(text(result.content) || text(input.content))] : readHunks(use);
    const body = { ...inTurn, tool: name, path, ...(created ? { created } : {}), hunks };
    return [{ kind: 'edit', id, origin, trust: 1, body, ...(change === undefined ? {} : { change }) }];
  }
  const call = { agent, callId: use.id, tool: name, inTurn } as const;
  if (name === 'Bash') return [observeCommand(call, use)];
  if (name === 'Read' && !failed) {
    const file = record(result.file);
    const startLine = whole(file.startLine) || 1;
    const isWhole = startLine === 1 && whole(file.numLines) >= whole(file.totalLines);
    const path = text(file.filePath) || text(input.file_path);
    return [observeRead(call, path, text(file.content), startLine, isWhole)];
  }
  const answers = name === 'AskUserQuestion' && !failed ? answersIn(use) : [];
  return [usedTool(call, !failed), ...answers];
}

/** Each answer of the user in a dialog. They are part of the turn, which goes on after them. */
function answersIn({ id, result, inTurn }: ToolUse): Observation[] {
  if (inTurn.subagent !== undefined) return [];
  return list(result.questions)
    .map(record)
    .flatMap(({ question: asked, options, multiSelect }, at) => {
      const question = text(asked);
      const answer = text(record(result.answers)[question]);
      const { notes } = record(record(result.annotations)[question]);
      const words = typedPrompt(`${answer}\n${text(notes)}`);
      if (question === '' || words === undefined) return [];
      const isChosen = (label: string): boolean =>
        multiSelect === true ? `, ${answer}, `.includes(`, ${label}, `) : answer === label;
      const option = list(options)
        .map(record)
        .filter(({ label }) => text(label) !== '' && isChosen(text(label)))
        .map(({ label, description }) => [label, description].map(text).filter(Boolean).join(': '))
        .join('\n');
      const body = { ...inTurn, text: words, asked: { question, option } };
      return [{ kind: 'prompt', id: recordId(agent, `${id}\0${at}`), origin: 'user', trust: 2, body }];
    });
}

/**
 * Takes the texts before and after an edit from the tool's report and not from the disk, because a formatter may
 * already have changed the file.
 */
function changeOf({ name, input, result }: ToolUse): FileChange | undefined {
  if (name === 'Write') return { kind: 'written', text: text(result.content) || text(input.content) };
  const before = text(result.originalFile);
  const [old, now] = [text(result.oldString), text(result.newString)];
  if (name !== 'Edit' || before === '' || old === '') return undefined;
  const after =
    result.replaceAll === true ? before.replaceAll(old, () => now) : before.replace(old, () => now);
  return { kind: 'texts', before, after };
}

function observeCommand(call: FinishedCall, { input, result, failed, error }: ToolUse): Observation {
  const code = /Exit code (\d+)/.exec(error)?.[1];
  // The status is not known of a command that runs in the background, was interrupted, or ended with another code
  // than 0 that Claude Code does not take for an error, such as `grep` without a match.
  const isUnknown =
    result.backgroundTaskId !== undefined ||
    result.interrupted === true ||
    result.returnCodeInterpretation !== undefined;
  const passed = isUnknown ? undefined : 0;
  const exit = failed ? (code === undefined ? undefined : Number(code)) : passed;
  const output = failed ? error : [text(result.stdout), text(result.stderr)].join('\n').trim();
  // The model saw only a preview of output that Claude Code saved to a file, so it does not count as seen.
  const shown = text(result.persistedOutputPath) === '' ? text(result.stdout) : '';
  return { ...ranCommand(call, text(input.command), { output, exit, failed }), shown };
}

const readHunks = ({ result }: ToolUse): EditHunk[] =>
  list(result.structuredPatch)
    .map(record)
    .map(({ oldStart, newStart, lines }) => {
      const hashesOf = (sign: string): string[] =>
        list(lines)
          .map(text)
          .filter((line) => line.startsWith(sign))
          .map((line) => lineHash(line.slice(1)));
      return {
        oldStart: whole(oldStart),
        newStart: whole(newStart),
        added: hashesOf('+'),
        removed: hashesOf('-'),
      };
    });
