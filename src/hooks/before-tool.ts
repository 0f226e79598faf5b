import type { HookCall } from '../agents/agent.ts';
import { denialOf } from '../agents/dialects.ts';
import { toolCallOf } from '../agents/pending-call.ts';
import { type Json, record, text } from '../base/json.ts';
import type { HomePaths } from '../base/paths.ts';
import type { Place } from '../domain/project.ts';
import {
  claimPrelude,
  forgetTold,
  toldSession,
  writeToldSession,
} from '../memory/prompt-context/told-sessions.ts';
import { brokenRules } from '../memory/rules/match-rules.ts';
import { type Rule, readRules } from '../memory/rules/rule-table.ts';

export { claimPrelude, forgetTold };

const maxLines = 3;

/**
 * Answers a tool call before it is made. If it goes against a rule, the agent is told, once for each rule and session.
 * It is denied only if the user enforces the rule. Reads two small files and starts no process.
 */
export function beforeTool(
  input: Json,
  call: HookCall,
  place: Pick<Place, 'project' | 'root'>,
  paths: HomePaths,
): string {
  const own = paths.project(place.project);
  const rules = [...readRules(own.rules), ...readRules(paths.everywhere.rules)];
  const { tool, args } = callOf(input);
  const broken = brokenRules(rules, toolCallOf({ tool, input: args, cwd: call.cwd, root: place.root }));
  const enforced = broken.filter(({ isEnforced }) => isEnforced === true);
  if (enforced.length > 0) return denial(call, enforced.slice(0, maxLines));
  const session =
    call.subagent === undefined ? call.agentSession : `${call.agentSession}/${call.subagent.id}`;
  const state = toldSession(own.toldSessions, session);
  const { rules: told = [] } = state;
  const untold = broken.filter(({ note }) => !told.includes(note)).slice(0, maxLines);
  if (untold.length === 0) return '';
  writeToldSession(own.toldSessions, session, {
    ...state,
    rules: [...told, ...untold.map(({ note }) => note)],
  });
  return call.reply(
    fenced(
      untold.map(
        ({ line }) => `This call goes against ${line}. Keep to it unless the user now wants otherwise.`,
      ),
    ),
  );
}

/** The tool and its arguments. Plugins, Cline and Grok Build have other fields than Claude Code. */
function callOf(input: Json): { tool: string; args: Json } {
  const plugin = record(record(input.backstory).tool);
  const cline = record(input.tool_call);
  const tool = input.tool_name ?? input.toolName ?? plugin.name ?? cline.name;
  const args = input.tool_input ?? input.toolInput ?? plugin.input ?? cline.input;
  return { tool: text(tool), args: record(args) };
}

/** The tag keeps the lines from being captured as somebody's words. */
const fenced = (lines: string[]): string => `<backstory-memory>${lines.join('\n')}</backstory-memory>`;

function denial(call: HookCall, rules: Rule[]): string {
  const reason = fenced(
    rules.map(
      ({ line }) =>
        `Denied: it goes against ${line}, which the user enforces. Do it another way, or ask the user.`,
    ),
  );
  return denialOf(call.agent, reason);
}
