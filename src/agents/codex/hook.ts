import { type Json, record, text } from '../../base/json.ts';
import type { HookCall, HookEnvironment, Observation } from '../agent.ts';
import { claudeCall, claudeEventNames } from '../claude-like-hook.ts';
import { inTurnOf, observeCall, readsNow } from '../observe.ts';
import { patchedFiles, ranCommand } from '../tool-observations.ts';

/**
 * Converts hook calls of Codex to observations. Prompts, answers and patches are recorded from hooks, at once.
 * Commands are recorded from the rollout file (the transcript), which is complete when a turn stops and has exit codes
 * that hooks lack. The hook still determines which file lines a command printed, because the files may have changed
 * when the rollout is read.
 */
const agent = 'codex';

export function readCodexHook(stdin: Json, environment: HookEnvironment): HookCall {
  const call = {
    ...claudeCall(agent, claudeEventNames, stdin, environment),
    turn: text(stdin.turn_id),
  };
  const words = {
    prompt: () => text(stdin.prompt),
    answer: () => text(stdin.last_assistant_message),
    tool: () => observeTool(stdin, call),
  };
  return { ...call, observations: observeCall(call, words, environment) };
}

function observeTool(stdin: Json, call: HookCall): Observation[] {
  const tool = text(stdin.tool_name);
  const finished = { agent, callId: text(stdin.tool_use_id), tool, inTurn: inTurnOf(call) } as const;
  const command = text(record(stdin.tool_input).command);
  if (tool === 'apply_patch') return patchedFiles(finished, command, call.cwd);
  if (tool !== 'Bash') return [];
  return readsNow([ranCommand(finished, command, { output: text(stdin.tool_response) })]);
}
