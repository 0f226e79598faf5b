import { type Json, record, text, whole } from '../base/json.ts';
import type { HookCall, HookEnvironment, Observation } from './agent.ts';
import { dialects } from './dialects.ts';
import { replyOf } from './hook-reply.ts';
import { inTurnOf, observeAnswer, observeNewContext, observePrompt, observeSession } from './observe.ts';
import { observeOpenCodeTool, openCodePrompt } from './opencode/tools.ts';
import { observePiTool } from './pi/tools.ts';
import { recordId } from './provisional-ids.ts';
import type { ToolResult } from './tool-observations.ts';

interface PluginAgent {
  name: 'opencode' | 'kilo' | 'pi';
  /** Returns the prompt as the user typed it. */
  prompt(raw: string): string;
  tool(result: ToolResult): Observation[];
}

const agents: PluginAgent[] = [
  { name: 'opencode', prompt: openCodePrompt, tool: observeOpenCodeTool },
  { name: 'kilo', prompt: openCodePrompt, tool: observeOpenCodeTool },
  { name: 'pi', prompt: (raw) => raw, tool: observePiTool },
];

const events: HookCall['event'][] = [
  'session-start',
  'prompt',
  'before-tool',
  'tool',
  'subagent-start',
  'stop',
  'compact',
  'session-end',
];

/**
 * Reads calls from Backstory's plugins in OpenCode, Kilo and Pi: `{ "backstory": { agent, event, session, cwd, … } }`.
 * Plugins forward the agent's data unchanged; it is interpreted here, with code shared with the transcript readers.
 */
export function readPluginCall(stdin: Json, environment: HookEnvironment): HookCall {
  const payload = record(stdin.backstory);
  const agent = agents.find(({ name }) => name === payload.agent);
  const call: HookCall = {
    agent: agent?.name ?? 'backstory',
    agentVersion: text(payload.version),
    event: (agent === undefined ? undefined : events.find((event) => event === payload.event)) ?? 'ignored',
    agentSession: text(payload.session),
    cwd: text(payload.cwd),
    clientPid: whole(payload.pid) || environment.clientPid,
    turn: text(payload.turn),
    transcript: text(payload.transcript),
    cause: text(payload.cause),
    ...(text(payload.subagent) === '' ? {} : { subagent: { id: text(payload.subagent), type: 'task' } }),
    ...(text(payload.task) === '' ? {} : { task: text(payload.task) }),
    observations: [],
    reply: agent === undefined ? () => '' : replyOf(agent.name),
    canAddToPrompt: agent !== undefined && dialects[agent.name].addsToPrompt,
  };
  return agent === undefined ? call : { ...call, observations: observe(agent, call, payload, environment) };
}

function observe(
  agent: PluginAgent,
  call: HookCall,
  payload: Json,
  environment: HookEnvironment,
): Observation[] {
  switch (call.event) {
    case 'session-start':
      // The plugin sends the first prompt together with the session start, to save a process start.
      return [
        ...observeSession(call, String(environment.nowMs)),
        ...promptOf(agent, call, payload, environment),
      ];
    case 'session-end':
      return observeSession(call, String(environment.nowMs));
    case 'prompt':
      return promptOf(agent, call, payload, environment);
    case 'tool': {
      const tool = record(payload.tool);
      return agent.tool({
        agent: agent.name,
        tool: text(tool.name),
        callId: text(tool.id),
        input: record(tool.input),
        details: record(tool.details),
        output: text(tool.output),
        failed: tool.failed === true,
        cwd: call.cwd,
        inTurn: inTurnOf(call),
      });
    }
    case 'compact':
      // Report the start of the compacted context now, so that files read before it no longer count as seen. The event of
      // the compaction itself is read later from the agent's transcript.
      return observeNewContext(call, environment.nowMs);
    case 'stop':
      return observeAnswer(call, text(payload.answer), environment);
    default:
      return [];
  }
}

function promptOf(
  agent: PluginAgent,
  call: HookCall,
  payload: Json,
  environment: HookEnvironment,
): Observation[] {
  const prompt = record(payload.prompt);
  const id = text(prompt.id);
  const known = id === '' ? undefined : recordId(agent.name, id);
  return observePrompt(call, agent.prompt(text(prompt.text)), environment, known);
}
