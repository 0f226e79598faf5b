import type { Caller } from '../domain/caller.ts';

/**
 * Distinguishes an agent's shell from a person's terminal, by environment variables that agents set for the commands
 * they run and by agent programs among the parent processes. Variables that people set to configure an agent, or that
 * an editor sets in its own terminal, do not count:
 * CLAUDE_CODE_SSE_PORT, CLAUDE_CONFIG_DIR, CODEX_HOME, OPENCODE_CONFIG, PI_OFFLINE, CURSOR_TRACE_ID.
 */
interface AgentSigns {
  agent: string;
  /** Environment variables that the agent sets for the commands it runs. */
  variables: string[];
  /** Names of the agent's program, without extension. */
  programs: string[];
  /** Packages whose scripts an interpreter runs as this agent. */
  packages?: string[];
}

/** test/e2e/agents checks the entries of agents that Backstory can be installed for against the real programs. */
export const agentSigns: AgentSigns[] = [
  {
    agent: 'claude-code',
    variables: [
      'CLAUDECODE',
      'CLAUDE_CODE_ENTRYPOINT',
      'CLAUDE_CODE_SESSION_ID',
      'CLAUDE_CODE_CHILD_SESSION',
      'CLAUDE_PID',
    ],
    programs: ['claude', 'claude-code'],
    packages: ['@anthropic-ai/claude-code', '@anthropic-ai/claude-agent-sdk'],
  },
  {
    agent: 'codex',
    variables: [
      'CODEX_THREAD_ID',
      'CODEX_SESSION_ID',
      'CODEX_TOOL_CALL_ID',
      'CODEX_CI',
      'CODEX_SANDBOX',
      'CODEX_SANDBOX_NETWORK_DISABLED',
    ],
    programs: ['codex'],
    packages: ['@openai/codex'],
  },
  // Before OpenCode, whose variables Kilo sets too.
  { agent: 'kilo', variables: ['KILO', 'KILO_PID'], programs: ['kilo'], packages: ['@kilocode/cli'] },
  {
    agent: 'opencode',
    variables: ['OPENCODE', 'OPENCODE_PID', 'OPENCODE_CLIENT', 'OPENCODE_SERVER'],
    programs: ['opencode'],
    packages: ['opencode-ai'],
  },
  {
    agent: 'pi',
    variables: ['PI_CODING_AGENT', 'PI_SESSION_ID', 'PI_SESSION_FILE'],
    programs: ['pi'],
    packages: ['@earendil-works/pi-coding-agent', '@mariozechner/pi-coding-agent'],
  },
  { agent: 'cursor', variables: ['CURSOR_AGENT'], programs: ['cursor-agent'] },
  {
    agent: 'gemini',
    variables: ['GEMINI_CLI', 'GEMINI_SESSION_ID'],
    programs: ['gemini'],
    packages: ['@google/gemini-cli'],
  },
  { agent: 'qwen', variables: ['QWEN_CODE'], programs: ['qwen'], packages: ['@qwen-code/qwen-code'] },
  {
    agent: 'copilot',
    variables: ['COPILOT_CLI', 'COPILOT_AGENT', 'COPILOT_AGENT_SESSION_ID'],
    programs: ['copilot'],
    packages: ['@github/copilot'],
  },
  { agent: 'cline', variables: ['CLINE_ACTIVE'], programs: ['cline'] },
  {
    agent: 'droid',
    variables: ['DROID_SESSION_ID', 'FACTORY_EXEC_TARGET_AUTONOMY'],
    programs: ['droid'],
    packages: ['@factory/cli'],
  },
  {
    agent: 'grok',
    variables: ['GROK_AGENT', 'GROK_HOOK_NAME', 'GROK_SESSION_ID'],
    programs: ['grok'],
    packages: ['@xai-official/grok'],
  },
  { agent: 'goose', variables: ['GOOSE_TERMINAL'], programs: ['goose'] },
  { agent: 'amp', variables: ['AMP_CURRENT_THREAD_ID'], programs: ['amp'], packages: ['@sourcegraph/amp'] },
  { agent: 'augment', variables: ['AUGMENT_AGENT'], programs: ['auggie'] },
  { agent: 'aider', variables: [], programs: ['aider'] },
  { agent: 'trae', variables: ['TRAE_AI_SHELL_ID'], programs: [] },
  { agent: 'antigravity', variables: ['ANTIGRAVITY_AGENT'], programs: ['agy'] },
  // Generic variables that many agents set, including agents not in this table.
  { agent: 'an agent', variables: ['AI_AGENT', 'AGENT'], programs: [] },
];

export interface ParentProcess {
  /** The command line; empty if it cannot be read. */
  argv: string[];
  /** The kernel's name for the process. */
  name: string;
  /** Names of the process's non-empty environment variables; empty if they cannot be read. */
  variables: string[];
}

/** How a command was started. */
export interface ProcessContext {
  /** Names of our own non-empty environment variables. */
  variables: string[];
  /** The parent processes of this process, nearest first. */
  ancestors: ParentProcess[];
  /** Why no person can be at the terminal; undefined if one can. */
  noTerminal?: string;
}

export function callerOf({ variables, ancestors, noTerminal }: ProcessContext): Caller {
  const own = byVariable(variables, '');
  if (own !== undefined) return own;
  for (const ancestor of ancestors) {
    const found = byProgram(ancestor) ?? byVariable(ancestor.variables, ' for a parent process');
    if (found !== undefined) return found;
  }
  return noTerminal === undefined ? { kind: 'person' } : { kind: 'unproven', reason: noTerminal };
}

function byVariable(variables: string[], where: string): Caller | undefined {
  for (const { agent, variables: signs } of agentSigns) {
    const sign = signs.find((name) => variables.includes(name));
    if (sign !== undefined) return { kind: 'agent', agent, sign: `${sign} is set${where}` };
  }
  return undefined;
}

function byProgram({ argv, name }: ParentProcess): Caller | undefined {
  const program = programOf(argv[0] ?? '');
  const script = interpreters.test(program) ? argv.slice(1).find((word) => !word.startsWith('-')) : undefined;
  const names = [programOf(name), program, programOf(script ?? '')];
  const paths = [argv[0], script].map((path) => (path ?? '').replaceAll('\\', '/'));
  for (const { agent, programs, packages = [] } of agentSigns) {
    const isMatch =
      programs.some((one) => names.includes(one)) ||
      packages.some((one) => paths.some((path) => path.includes(`/${one}/`)));
    if (isMatch) return { kind: 'agent', agent, sign: `${agent} is a parent process` };
  }
  return undefined;
}

const interpreters = /^(?:node|nodejs|bun|deno|python[\d.]*|ruby|bash|sh|dash|zsh|fish|ksh)$/;

/** Trims, because some programs overwrite their command line with a padded title. */
const programOf = (path: string): string =>
  path
    .trim()
    .replace(/^.*[\\/]/, '')
    .replace(/\.(?:exe|cmd|bat|ps1|js|mjs|cjs|ts|py|sh)$/i, '')
    .toLowerCase();
