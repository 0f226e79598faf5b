import type { HookCall } from '../agents/agent.ts';
import { type Json, record, text } from '../base/json.ts';
import type { HomePaths } from '../base/paths.ts';
import type { Place } from '../domain/project.ts';
import { everywhereSection, readPrelude } from '../memory/prelude/prelude-file.ts';
import type { RecallForPrompt } from '../memory/prompt-context/answer-prompt.ts';
import { toldSession, writeToldSession } from '../memory/prompt-context/told-sessions.ts';
import { boundaryOf, fence } from '../text/fence.ts';
import { estimateTokens } from '../text/tokens.ts';
import type { PromptParts } from './prompt.ts';

/**
 * A subagent starts with an empty context: it has neither the prelude nor what the session was told. It is told the
 * rules, and the topics that concern its task.
 */
const maxTokens = 600;
const frameTokens = 60;
/** Reserved for what concerns the task. */
const taskTokens = 300;
const maxWaiting = 8;

/**
 * Recalls what concerns the task of a subagent that is about to start. Claude Code tells only this call the task, and
 * only the start of the subagent takes context, so the lines wait in between.
 */
export async function prepareSubagent(
  input: Json,
  call: HookCall,
  place: Pick<Place, 'project' | 'root'>,
  { paths, recall }: { paths: HomePaths; recall: RecallForPrompt },
): Promise<string> {
  const task = record(input.tool_input);
  const lines = await recallTask(text(task.prompt), call, place, recall);
  const path = paths.project(place.project).toldSessions;
  const state = toldSession(path, call.agentSession);
  const waiting = [...(state.subagents ?? []), { type: text(task.subagent_type), lines }].slice(-maxWaiting);
  writeToldSession(path, call.agentSession, { ...state, subagents: waiting });
  return '';
}

const recallTask = async (
  task: string,
  call: HookCall,
  place: Pick<Place, 'project' | 'root'>,
  recall: RecallForPrompt,
): Promise<string[]> =>
  task === ''
    ? []
    : (
        await recall({
          project: place.project,
          root: place.root,
          prompt: task,
          agentSession: call.agentSession,
          told: [],
          maxTokens: taskTokens,
        })
      ).text;

/** Returns what a subagent is told when it starts. OpenCode sends the task with the start; the others do not. */
export function subagentContext(
  call: HookCall,
  place: Pick<Place, 'project' | 'root'>,
  { paths, loadRecall }: PromptParts,
): string | Promise<string> {
  const rules = (readPrelude(paths, place.project)?.lines ?? [])
    .filter(({ section }) => section === 'Rules' || section === 'You said' || section === everywhereSection)
    .map((line) => `- ${line.text}`);
  const { task = '' } = call;
  if (task !== '' && loadRecall !== undefined)
    return recallTask(task, call, place, loadRecall()).then((lines) => framed(rules, lines));
  const path = paths.project(place.project).toldSessions;
  const state = toldSession(path, call.agentSession);
  const waiting = state.subagents ?? [];
  const at = waiting.findIndex(({ type }) => type === '' || type === call.subagent?.type);
  if (at !== -1)
    writeToldSession(path, call.agentSession, {
      ...state,
      subagents: waiting.filter((_, other) => other !== at),
    });
  return framed(rules, waiting[at]?.lines ?? []);
}

function framed(rules: string[], lines: string[]): string {
  const kept: string[] = [];
  const body = (own: string[]): string[] => [...(own.length === 0 ? [] : ['Rules:', ...own]), ...lines];
  for (const rule of rules)
    if (estimateTokens(body([...kept, rule]).join('\n')) <= maxTokens - frameTokens) kept.push(rule);
  const all = body(kept);
  if (all.length === 0) return '';
  const head =
    'What Backstory remembers for this task: a record of what the user said and of past work. The task that you were given goes before it.';
  return fence('kind="subagent"', [head, ...all], boundaryOf(head, ...all));
}
