import { type Json, record, text, whole } from '../base/json.ts';
import type { AgentName } from '../domain/event.ts';
import type { HookCall, HookEnvironment, Observation, ToolResult } from './agent.ts';
import { pluginReply } from './hook-reply.ts';
import { inTurnOf, observeAnswer, observeNewContext, observePrompt, observeSession } from './observe.ts';
import { observeOpenCodeTool, openCodePrompt } from './opencode.ts';
import { observePiTool } from './pi.ts';
import { recordId } from './provisional-ids.ts';

/**
 * What our plugins inside OpenCode and Pi say to the hook: `{ "backstory": { agent, event, session, cwd, … } }`.
 * A plugin only passes on what it is told; what that means is decided here, where the transcript's reader can
 * share it.
 */
interface PluginAgent {
  name: AgentName;
  /** The words as they were typed. */
  prompt(raw: string): string;
  tool(result: ToolResult): Observation[];
}

const agents: PluginAgent[] = [
  { name: 'opencode', prompt: openCodePrompt, tool: observeOpenCodeTool },
  { name: 'pi', prompt: (raw) => raw, tool: observePiTool },
];

const events: HookCall['event'][] = ['session-start', 'prompt', 'tool', 'stop', 'compact', 'session-end'];

export const isPluginCall = (stdin: Json): boolean => 'backstory' in stdin;

export function readPluginCall(stdin: Json, environment: HookEnvironment): HookCall {
  const said = record(stdin.backstory);
  const agent = agents.find(({ name }) => name === said.agent);
  const call: HookCall = {
    agent: agent?.name ?? 'backstory',
    agentVersion: text(said.version),
    event: (agent === undefined ? undefined : events.find((event) => event === said.event)) ?? 'ignored',
    agentSession: text(said.session),
    cwd: text(said.cwd),
    clientPid: whole(said.pid) || environment.clientPid,
    turn: text(said.turn),
    transcript: text(said.transcript),
    cause: text(said.cause),
    observations: [],
    reply: pluginReply,
  };
  return agent === undefined ? call : { ...call, observations: observe(agent, call, said, environment) };
}

function observe(
  agent: PluginAgent,
  call: HookCall,
  said: Json,
  environment: HookEnvironment,
): Observation[] {
  switch (call.event) {
    case 'session-start':
      // A session is first heard of with its first prompt; one process start is enough for both.
      return [
        ...observeSession(call, String(environment.nowMs)),
        ...promptOf(agent, call, said, environment),
      ];
    case 'session-end':
      return observeSession(call, String(environment.nowMs));
    case 'prompt':
      return promptOf(agent, call, said, environment);
    case 'tool': {
      const tool = record(said.tool);
      return agent.tool({
        name: text(tool.name),
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
      // The agent's own record tells of the compaction itself; that the context is a new one is known at once.
      return observeNewContext(call, environment.nowMs);
    case 'stop':
      return observeAnswer(call, text(said.answer), environment);
    default:
      return [];
  }
}

function promptOf(
  agent: PluginAgent,
  call: HookCall,
  said: Json,
  environment: HookEnvironment,
): Observation[] {
  const prompt = record(said.prompt);
  const id = text(prompt.id);
  const known = id === '' ? undefined : recordId(agent.name, id);
  return observePrompt(call, agent.prompt(text(prompt.text)), environment, known);
}
