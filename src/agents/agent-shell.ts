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
  pid: number;
  /** The command line; empty if it cannot be read. */
  argv: string[];
  /** The kernel's name for the process. */
  name: string;
  /** Names of the process's non-empty environment variables; empty if they cannot be read. */
  variables: string[];
  /** Whether it has a controlling terminal; absent if that is unknown. */
  hasTerminal?: boolean;
}

interface ProcessContext {
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
    const found = agentRunning(ancestor) ?? byVariable(ancestor.variables, ' for a parent process');
    if (found !== undefined) return found;
  }
  return noTerminal === undefined ? { kind: 'person' } : { kind: 'unproven', reason: noTerminal };
}

type AgentCaller = Extract<Caller, { kind: 'agent' }>;

function byVariable(variables: string[], where: string): AgentCaller | undefined {
  for (const { agent, variables: signs } of agentSigns) {
    const sign = signs.find((name) => variables.includes(name));
    if (sign !== undefined) return { kind: 'agent', agent, sign: `${sign} is set${where}` };
  }
  return undefined;
}

function agentRunning(one: ParentProcess): AgentCaller | undefined {
  const { script, names } = programsOf(one);
  const paths = [one.argv[0], script].map((path) => (path ?? '').replaceAll('\\', '/'));
  for (const { agent, programs, packages = [] } of agentSigns) {
    const isMatch =
      programs.some((name) => names.includes(name)) ||
      packages.some((name) => paths.some((path) => path.includes(`/${name}/`)));
    if (isMatch) return { kind: 'agent', agent, sign: `${agent} is a parent process` };
  }
  return undefined;
}

/** The names under which a process may be known; `script` if an interpreter runs one. */
function programsOf({ argv, name }: ParentProcess): { names: string[]; script?: string; args: string[] } {
  const program = programOf(argv[0] ?? '');
  const at = interpreters.test(program) ? argv.findIndex((word, n) => n > 0 && !word.startsWith('-')) : -1;
  const script = argv[at];
  const names = [programOf(name), program, programOf(script ?? '')];
  const args = argv.slice(Math.max(at, 0) + 1).filter((word) => word !== '');
  return { names, args, ...(script === undefined ? {} : { script }) };
}

const interpreters = /^(?:node|nodejs|bun|deno|python[\d.]*|ruby|bash|sh|dash|zsh|fish|ksh)$/;

/** Trims, because some programs overwrite their command line with a padded title. */
const programOf = (path: string): string =>
  path
    .trim()
    .replace(/^.*[\\/]/, '')
    .replace(/\.(?:exe|cmd|bat|ps1|js|mjs|cjs|ts|py|sh)$/i, '')
    .toLowerCase();

/** How a prompt reached an agent, as its hook sees it. */
export interface PromptContext {
  agent: string;
  /** The parent processes of the hook, nearest first. */
  ancestors: ParentProcess[];
  variables: Record<string, string | undefined>;
  /** What the agent calls the origin of the prompt; empty if it does not say. */
  source: string;
}

/**
 * Says why no person typed a prompt: a shell or a script of an agent started the agent, the agent wrote the prompt for
 * itself, or it runs without a terminal. Undefined if a person may have typed it.
 */
export function untypedReason({ agent, ancestors, variables, source }: PromptContext): string | undefined {
  if (ownPrompts.includes(source)) return `${agent} wrote it for itself (${source})`;
  const own = ownProcesses(agent, ancestors);
  for (const one of own) {
    const starter = byVariable(one.variables, '');
    if (starter !== undefined) return `started from a shell of ${starter.agent} (${starter.sign})`;
  }
  for (const one of ancestors.slice(ancestors.indexOf(own.at(-1) as ParentProcess) + 1)) {
    const starter = isDesktopApp(one) ? undefined : agentRunning(one);
    if (starter !== undefined) return `started by ${starter.agent} (pid ${one.pid})`;
    const inherited = byVariable(one.variables, ` for process ${one.pid}`);
    if (inherited !== undefined) return `started from a shell of ${inherited.agent} (${inherited.sign})`;
  }
  const foreign = ancestors.some((one) => one.variables.length > 0)
    ? undefined
    : otherAgentIn(agent, variables);
  if (foreign !== undefined) return `started from a shell of ${foreign.agent} (${foreign.sign})`;
  const hasTerminal = own[0]?.hasTerminal === true;
  return !hasTerminal && isHeadless(agent, own[0], variables) ? 'headless session' : undefined;
}

/**
 * Where the environment of parent processes cannot be read: another agent whose variables the hook has inherited. An
 * agent that another one of its kind started is then recognised only by its parent processes.
 */
function otherAgentIn(agent: string, variables: PromptContext['variables']): AgentCaller | undefined {
  const own = agentSigns.filter((sign) => sign.agent === agent || sign.programs.length === 0);
  // Kilo is a fork of OpenCode and sets its variables too.
  const ownNames = own
    .flatMap((sign) => sign.variables)
    .concat(agent === 'kilo' ? ['OPENCODE', 'OPENCODE_PID'] : []);
  const set = Object.keys(variables).filter((name) => variables[name] !== '' && !ownNames.includes(name));
  return byVariable(set, '');
}

/** Origins of prompts that Claude Code makes itself. */
const ownPrompts = ['system', 'loop_wakeup', 'schedule_wakeup', 'poll_event'];

/**
 * The processes of the agent that called the hook, nearest first. Some agents are started by a script that starts the
 * agent with the same arguments; an agent's shell would have started it with others. If the agent's program is not
 * known, as in an editor, it is the first process that is no shell and no other agent.
 */
function ownProcesses(agent: string, ancestors: ParentProcess[]): ParentProcess[] {
  // The editor is no sign of an agent, because people work in its terminals.
  const isEditor = (one: ParentProcess) => agent === 'cursor' && programsOf(one).names.includes('cursor');
  const nearest = ancestors.findIndex((one) => agentRunning(one) !== undefined || isEditor(one));
  const isAgent = (one: ParentProcess | undefined) =>
    one !== undefined && (agentRunning(one)?.agent === agent || isEditor(one));
  if (!isAgent(ancestors[nearest])) {
    const first = ancestors.find(({ name }) => !shells.test(name));
    return first === undefined || agentRunning(first) !== undefined ? [] : [first];
  }
  const own = ancestors.slice(nearest, nearest + 1);
  for (const parent of ancestors.slice(nearest + 1)) {
    const { script, args } = programsOf(parent);
    const inner = programsOf(own.at(-1) as ParentProcess);
    if (script === undefined || !isAgent(parent) || args.join('\0') !== inner.args.join('\0')) break;
    own.push(parent);
  }
  return own;
}

const shells = /^(?:sh|dash|bash|zsh|fish|ksh)$/;

/** A person types in a desktop app, even if it has the name of an agent and starts one. */
const isDesktopApp = ({ argv }: ParentProcess): boolean =>
  /\.app\/Contents\/(?:MacOS|Frameworks)\//.test(argv[0] ?? '');

/**
 * Whether an agent without a terminal is driven by a program. Claude Code says so itself. Other agents are programs for
 * a terminal, which without one get prompts only from a program; an editor's own window uses one of these protocols.
 */
function isHeadless(
  agent: string,
  own: ParentProcess | undefined,
  {
    CLAUDE_CODE_SESSION_ATTENDED: attended,
    CLAUDE_CODE_ENTRYPOINT: entrypoint = '',
  }: PromptContext['variables'],
): boolean {
  if (agent === 'claude-code')
    return attended === undefined ? entrypoint.startsWith('sdk') : attended === '0';
  if (own?.hasTerminal !== false || agentRunning(own) === undefined) return false;
  return !programsOf(own).args.some((word) => editorProtocols.test(word));
}

const editorProtocols = /^(?:app-server|acp|--(?:experimental-)?acp|serve|web|stream-json-?rpc|rpc)$/;
