import type { HookCall } from '../agents/agent.ts';
import { dialects } from '../agents/dialects.ts';
import type { Clock } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import type { HomePaths } from '../base/paths.ts';
import type { Place } from '../domain/project.ts';
import { answerPrompt, type RecallForPrompt } from '../memory/prompt-context/answer-prompt.ts';
import { isForAgent, isRequest } from '../memory/prompt-context/request.ts';
import { toldSession, writeToldSession } from '../memory/prompt-context/told-sessions.ts';
import { prepareSubagent, subagentContext } from './subagent.ts';

export { prepareSubagent, subagentContext };

export interface PromptParts {
  paths: HomePaths;
  clock: Clock;
  /** Loads the code that opens the index. Only the first prompt of a session and subagents need it. */
  loadRecall?(): RecallForPrompt;
}

/** Returns what the first prompt of a session is answered with: what the memory says about it. The agent waits for it. */
export function promptContext(
  call: HookCall,
  place: Place,
  { config, paths, loadRecall }: PromptParts & { config: Config },
): string | Promise<string> {
  const prompt = call.observations.find((observation) => observation.kind === 'prompt')?.body.text;
  if (prompt === undefined || call.subagent !== undefined) return '';
  const canTell = config.tell.includes('prompt') && dialects[call.agent].addsToPrompt;
  if (!canTell || loadRecall === undefined || !isDue(call, place, prompt, paths)) return '';
  const recalled = answerPrompt(
    prompt,
    { place, agentSession: call.agentSession },
    { config, paths, recall: (question) => loadRecall()(question) },
  );
  return recalled.then(({ answer }) => answer);
}

/**
 * Whether the prompt is the session's first request, or a first prompt that asks for nothing, which is answered with the
 * last work. Returns true once for each.
 */
function isDue(call: HookCall, place: Place, prompt: string, paths: HomePaths): boolean {
  const path = paths.project(place.project).toldSessions;
  const state = toldSession(path, call.agentSession);
  const isDue = isRequest(prompt)
    ? state.isAnswered !== true
    : state.hasBegun !== true && !isForAgent(prompt);
  if (!isDue) return false;
  const answered = isRequest(prompt) ? { isAnswered: true as const } : {};
  writeToldSession(path, call.agentSession, { ...state, hasBegun: true, ...answered });
  return true;
}
