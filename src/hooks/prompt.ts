import type { HookCall } from '../agents/agent.ts';
import type { Clock } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import { readJson } from '../base/files.ts';
import type { HomePaths } from '../base/paths.ts';
import type { Place } from '../domain/project.ts';
import { answerPrompt, type RecallForPrompt } from '../memory/prompt-context/answer-prompt.ts';
import { isForAgent, isRequest } from '../memory/prompt-context/request.ts';
import { toldSession, writeToldSession } from '../memory/prompt-context/told-prompts.ts';
import { reminderFor } from '../memory/reminder.ts';
import { prepareSubagent, subagentContext } from './subagent.ts';

export { prepareSubagent, subagentContext };

export interface PromptParts {
  paths: HomePaths;
  clock: Clock;
  /** Loads the code that opens the index. Only the first prompt of a session and subagents need it. */
  loadRecall?(): RecallForPrompt;
}

/**
 * Returns what a prompt is answered with: what the memory says about the first prompt of a session, and a reminder to
 * save what was settled. The agent waits for it.
 */
export function promptContext(
  call: HookCall,
  place: Place,
  { config, paths, clock, loadRecall }: PromptParts & { config: Config },
): string | Promise<string> {
  const prompt = call.observations.find((observation) => observation.kind === 'prompt')?.body.text;
  if (prompt === undefined || call.subagent !== undefined) return '';
  const reminder = config.tell.includes('reminders') ? reminderOf(call, place, prompt, paths) : '';
  // The extension for Pi adds the answer of the hook to the prompt, but has no `remember` tool to remind of.
  const canTell = config.tell.includes('prompt') && (call.canAddToPrompt || call.agent === 'pi');
  if (!canTell || loadRecall === undefined || !isDue(call, place, prompt, paths)) return reminder;
  const recalled = answerPrompt(
    prompt,
    { place, agentSession: call.agentSession, now: clock.now() },
    { config, paths, recall: (question) => loadRecall()(question) },
  );
  return recalled.then(({ answer }) => [answer, reminder].filter((part) => part !== '').join('\n'));
}

/**
 * Whether the prompt is the session's first request, or a first prompt that asks for nothing, which is answered with the
 * last work. Returns true once for each.
 */
function isDue(call: HookCall, place: Place, prompt: string, paths: HomePaths): boolean {
  const path = paths.project(place.project).toldPrompts;
  const state = toldSession(path, call.agentSession);
  const isDue = isRequest(prompt)
    ? state.isAnswered !== true
    : state.hasBegun !== true && !isForAgent(prompt);
  if (!isDue) return false;
  const answered = isRequest(prompt) ? { isAnswered: true as const } : {};
  writeToldSession(path, call.agentSession, { ...state, hasBegun: true, ...answered });
  return true;
}

/** Returns a line that asks the agent to save what the user settled in an earlier prompt, or ''. */
function reminderOf(call: HookCall, place: Place, prompt: string, paths: HomePaths): string {
  if (!call.canAddToPrompt) return '';
  const line = reminderFor(paths.project(place.project).reminders, call.agentSession, prompt);
  return line !== '' && hasRememberTool(paths.installs, call.agent) ? line : '';
}

/** The part of an installation record that says which tools an agent has. */
interface InstalledTools {
  agent: string;
  surface?: string;
  tools?: string;
}

/** An installation by the agent's own plugin manager has no record; it includes the tools. */
function hasRememberTool(installs: string, agent: HookCall['agent']): boolean {
  const records = readJson<{ installs?: InstalledTools[] }>(installs)?.installs ?? [];
  const own = records.filter((install) => install.agent === agent);
  return own.length === 0 || own.some(({ surface, tools }) => surface !== 'skill' && tools !== 'code');
}
