import { join } from 'node:path';
import { type Json, list, record, text } from '../../base/json.ts';
import type { HookCall, HookEnvironment, Observation } from '../agent.ts';
import { replyOf } from '../dialects.ts';
import { observeCall, readsNow } from '../observe.ts';
import { observeClineTool } from './tools.ts';
import { typedInput } from './typed-input.ts';

/**
 * Converts hook calls of Cline. Prompts of a run without a terminal, answers, edits and commands are recorded from the
 * transcript.
 */
const agent = 'cline';

const eventNames: Record<string, HookCall['event']> = {
  agent_start: 'session-start',
  agent_resume: 'session-start',
  prompt_submit: 'prompt',
  tool_call: 'before-tool',
  tool_result: 'tool',
  agent_end: 'stop',
  agent_abort: 'stop',
  agent_error: 'stop',
  pre_compact: 'compact',
  session_shutdown: 'session-end',
};

export function readClineHook(stdin: Json, environment: HookEnvironment): HookCall {
  const name = text(stdin.hookName);
  const session = text(record(stdin.sessionContext).rootSessionId) || text(stdin.taskId);
  const parent = text(stdin.parent_agent_id);
  const call: HookCall = {
    agent,
    agentVersion: text(stdin.clineVersion),
    event: eventNames[name] ?? 'ignored',
    agentSession: session,
    cwd: text(list(stdin.workspaceRoots)[0]),
    clientPid: environment.clientPid,
    turn: '',
    transcript: transcriptOf(session, environment),
    cause: name === 'agent_resume' ? 'resume' : 'startup',
    ...(parent === '' ? {} : { subagent: { id: text(stdin.agent_id), type: 'task' } }),
    observations: [],
    reply: replyOf(agent),
  };
  return { ...call, observations: observe(call, stdin, environment) };
}

function transcriptOf(session: string, { variables, userHome }: HookEnvironment): string {
  const data = variables.CLINE_DATA_DIR || join(variables.CLINE_DIR || join(userHome, '.cline'), 'data');
  return join(data, 'sessions', session, `${session}.messages.json`);
}

function observe(call: HookCall, stdin: Json, environment: HookEnvironment): Observation[] {
  if (call.subagent !== undefined && call.event.startsWith('session')) return [];
  const prompt = (): string => {
    const words = text(record(stdin.userPromptSubmit).prompt);
    // Cline's own words to a model that has not finished.
    return words.startsWith('[SYSTEM]') ? '' : typedInput(words, call.cwd);
  };
  const tool = (): Observation[] => {
    const result = record(stdin.tool_result);
    const observed = observeClineTool({
      agent,
      callId: text(result.id),
      tool: text(result.name),
      input: record(result.input),
      output: result.output,
      cwd: call.cwd,
      inTurn: { turn: '' },
    });
    return readsNow(observed);
  };
  return observeCall(call, { prompt, tool }, environment);
}
