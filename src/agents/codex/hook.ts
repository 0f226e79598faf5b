import { resolve } from 'node:path';
import { type Json, record, text } from '../../base/json.ts';
import type { HookCall, HookEnvironment, Observation } from '../agent.ts';
import { addedText, filePatches, readApplyPatch, undoOf } from '../apply-patch.ts';
import { claudeCall, claudeEventNames } from '../claude-like-hook.ts';
import {
  inTurnOf,
  observeAnswer,
  observeCompaction,
  observePrompt,
  observeSession,
  observeSubagentStart,
} from '../observe.ts';
import { endOfOutput } from '../prompt-text.ts';
import { editId, recordId } from '../provisional-ids.ts';

/**
 * Converts hook calls of Codex to observations. Prompts, answers and patches are recorded from hooks, at once.
 * Commands are recorded from the rollout file (the transcript), which is complete when a turn stops and has exit codes
 * that hooks lack. The hook still determines which file lines a command printed, because the files may have changed
 * when the rollout is read.
 */
const agent = 'codex';

/** Recognises Codex by the turn id or, since SessionEnd has none, by the name of the transcript. */
export const isCodexHook = (stdin: Json): boolean =>
  typeof stdin.turn_id === 'string' || /[\\/]rollout-[^\\/]+\.jsonl$/.test(text(stdin.transcript_path));

export function readCodexHook(stdin: Json, environment: HookEnvironment): HookCall {
  const call = {
    ...claudeCall(agent, claudeEventNames, stdin, environment),
    turn: text(stdin.turn_id),
  };
  return { ...call, observations: observe(call, stdin, environment) };
}

function observe(call: HookCall, stdin: Json, environment: HookEnvironment): Observation[] {
  switch (call.event) {
    case 'session-start':
    case 'session-end':
      return observeSession(call, String(environment.nowMs));
    case 'prompt':
      return observePrompt(call, text(stdin.prompt), environment);
    case 'tool':
      if (text(stdin.tool_name) === 'Bash') return [observeCommand(stdin, call)];
      if (text(stdin.tool_name) !== 'apply_patch') return [];
      return observePatch(
        text(record(stdin.tool_input).command),
        text(stdin.tool_use_id),
        call.cwd,
        inTurnOf(call),
      );
    case 'stop':
    case 'subagent-stop':
      return observeAnswer(call, text(stdin.last_assistant_message), environment);
    case 'subagent-start':
      return observeSubagentStart(call);
    case 'compact':
      return observeCompaction(call, environment);
    default:
      return [];
  }
}

function observeCommand(stdin: Json, call: HookCall): Observation {
  const body = {
    ...inTurnOf(call),
    command: text(record(stdin.tool_input).command),
    ok: true,
    ...endOfOutput(text(stdin.tool_response)),
  };
  const id = recordId(agent, text(stdin.tool_use_id));
  return { kind: 'command', id, origin: 'tool', trust: 0, body, isReplacedByTranscript: true };
}

function observePatch(patch: string, callId: string, cwd: string, inTurn: { turn: string }): Observation[] {
  const patches = filePatches(patch);
  return readApplyPatch(patch).map(({ path, action, hunks }, at) => ({
    kind: 'edit',
    id: editId(agent, callId, resolve(cwd, path)),
    origin: 'tool',
    trust: 1,
    body: {
      ...inTurn,
      tool: 'apply_patch',
      path: resolve(cwd, path),
      ...(action === 'add' ? { created: true } : {}),
      hunks,
    },
    change:
      action === 'add' ? { kind: 'written', text: addedText(patches[at] ?? '') } : undoOf(patches[at] ?? ''),
  }));
}
