import { type Json, record, text, whole } from '../base/json.ts';
import type { HookCall, HookEnvironment, Observation } from './agent.ts';
import { replyOf } from './dialects.ts';
import { inTurnOf, observeCall, observeNewContext, observePrompt, observeSession } from './observe.ts';
import { observeOpenCodeTool, openCodePrompt } from './opencode/tools.ts';
import { observePiTool } from './pi/tools.ts';
import { recordId } from './provisional-ids.ts';
import type { ToolResult } from './tool-observations.ts';

interface PluginAgent {
  name: 'opencode' | 'kilo' | 'pi';
  prompt(part: Json): string;
  tool(result: ToolResult): Observation[];
}

const openCode: PluginAgent = { name: 'opencode', prompt: openCodePrompt, tool: observeOpenCodeTool };
const agents: PluginAgent[] = [
  openCode,
  { ...openCode, name: 'kilo' },
  { name: 'pi', prompt: ({ text: words }) => text(words), tool: observePiTool },
];

/**
 * Reads calls from Backstory's plugins in OpenCode, Kilo and Pi: `{ "backstory": { agent, event, session, cwd, … } }`.
 * Plugins forward the agent's data unchanged; it is interpreted here, with code shared with the transcript readers.
 */
export function readPluginCall(stdin: Json, environment: HookEnvironment): HookCall {
  const payload = record(stdin.backstory);
  const known = agents.find(({ name }) => name === payload.agent);
  const agent = known ?? openCode;
  const call: HookCall = {
    agent: agent.name,
    agentVersion: text(payload.version),
    event: known === undefined ? 'ignored' : (text(payload.event) as HookCall['event']),
    agentSession: text(payload.session),
    cwd: text(payload.cwd),
    clientPid: whole(payload.pid) || environment.clientPid,
    turn: text(payload.turn),
    transcript: text(payload.transcript),
    cause: text(payload.cause),
    ...(text(payload.subagent) === '' ? {} : { subagent: { id: text(payload.subagent), type: 'task' } }),
    ...(text(payload.task) === '' ? {} : { task: text(payload.task) }),
    observations: [],
    reply: replyOf(agent.name),
  };
  return { ...call, observations: observe(agent, call, payload, environment) };
}

function observe(
  agent: PluginAgent,
  call: HookCall,
  payload: Json,
  environment: HookEnvironment,
): Observation[] {
  const part = record(payload.prompt);
  const prompt = (): Observation[] => {
    const known = text(part.id) === '' ? undefined : recordId(agent.name, text(part.id));
    return observePrompt(call, agent.prompt(part), environment, known);
  };
  switch (call.event) {
    case 'session-start':
      // The plugin sends the first prompt together with the session start, to save a process start.
      return [...observeSession(call, String(environment.nowMs)), ...prompt()];
    case 'prompt':
      return prompt();
    case 'compact':
      // Report the start of the compacted context now, so that files read before it no longer count as seen. The event of
      // the compaction itself is read later from the agent's transcript.
      return observeNewContext(call, environment.nowMs);
    case 'subagent-start':
      return [];
    default:
      return observeCall(call, { answer: () => text(payload.answer), tool }, environment);
  }

  function tool(): Observation[] {
    const used = record(payload.tool);
    return agent.tool({
      agent: agent.name,
      tool: text(used.name),
      callId: text(used.id),
      input: record(used.input),
      details: record(used.details),
      output: text(used.output),
      failed: used.failed === true,
      cwd: call.cwd,
      inTurn: inTurnOf(call),
    });
  }
}
