import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { entryAt } from '../base/checkout-file.ts';
import { allowedToolsEditor } from './allowed-tools.ts';
import { trustEditor } from './codex/trust.ts';
import { hooksEditor, pluginEditor, scriptEditor, serverEditor, tomlServerEditor } from './editors.ts';
import type { HookEvent } from './hook-groups.ts';
import type { AgentSetup, InstallableAgent } from './setup.ts';

/** The folders of an agent that keeps all its files in one: below the home folder, or where a variable says. */
const oneFolder =
  (name: string, variable = ''): AgentSetup['folders'] =>
  (variables, home) => {
    const config = variables[variable] || join(home, name);
    return { config, state: config };
  };

const filesAt =
  (hooks: string, server: string): AgentSetup['files'] =>
  ({ config }) => [
    { holds: 'hooks', path: join(config, hooks) },
    { holds: 'server', path: join(config, server) },
  ];

/** Only in the user's own settings: those of a project would decide for everybody. */
const allowedIn = (name: string, isUser: boolean, config: string): ReturnType<AgentSetup['files']> =>
  isUser ? [{ holds: 'allowed', path: join(config, name) }] : [];

/** Only events that Backstory records or answers, because each hook call costs a process start. */
const eventsOf = (events: string[], matchers: Record<string, string>): HookEvent[] => [
  ...events.map((event) => ({ event })),
  ...Object.entries(matchers).map(([event, matcher]) => ({ event, matcher })),
];

/** Events that need no answer are asynchronous, if the agent has such hooks. */
const asynchronously = (events: HookEvent[]): HookEvent[] =>
  events.map((event) => ({ ...event, isAsync: true }));

/**
 * SessionEnd is not asynchronous, because Claude Code and Codex end their asynchronous hooks when they exit. It starts
 * the drain, which reads the rest from the transcript.
 */
const answered = ['SessionStart', 'UserPromptSubmit', 'SubagentStart'];
const recorded = ['Stop', 'SubagentStop', 'PreCompact'];

const jsonServer = (more: object = {}) =>
  serverEditor('mcpServers', ({ command, args }) => ({ command, args, ...more }));

/** Kilo is a fork of OpenCode: the same settings and plugins under another name. */
const likeOpenCode = (agent: 'opencode' | 'kilo', title: string): AgentSetup => ({
  title,
  program: agent,
  // Without a subcommand, OpenCode takes its argument as a folder to open and not as a prompt.
  start: { promptOption: '--prompt' },
  folders: ({ XDG_CONFIG_HOME, XDG_DATA_HOME }, home) => ({
    config: join(XDG_CONFIG_HOME || join(home, '.config'), agent),
    state: join(XDG_DATA_HOME || join(home, '.local', 'share'), agent),
  }),
  projectFolder: `.${agent}`,
  files: ({ isUser, config, root }) => [
    { holds: 'plugin', path: join(config, 'plugins', 'backstory.js') },
    { holds: 'server', path: openCodeConfig(isUser ? config : root, agent, isUser) },
  ],
  editors: {
    plugin: pluginEditor(agent, 'opencode/backstory.js'),
    server: serverEditor('mcp', ({ command, args }) => ({
      type: 'local',
      command: [command, ...args],
      enabled: true,
    })),
  },
});

/** OpenCode reads both opencode.jsonc and opencode.json. */
function openCodeConfig(folder: string, agent: string, isUser: boolean): string {
  const withComments = join(folder, `${agent}.jsonc`);
  const isThere = isUser ? existsSync(withComments) : entryAt(folder, `${agent}.jsonc`) !== 'none';
  return isThere ? withComments : join(folder, `${agent}.json`);
}

/** Cline runs a program for each event: the file of that name in its folder of hooks. */
const clineEvents = [
  'TaskStart',
  'TaskResume',
  'UserPromptSubmit',
  'PreToolUse',
  // The model sees nothing that a hook prints before its first tool call, so the prelude comes with that.
  'PostToolUse',
  'TaskComplete',
  'TaskCancel',
  'PreCompact',
  'SessionShutdown',
];

export const setups: Record<InstallableAgent, AgentSetup> = {
  'claude-code': {
    title: 'Claude Code',
    program: 'claude',
    folders: ({ CLAUDE_CONFIG_DIR }, home) => {
      const config = CLAUDE_CONFIG_DIR || join(home, '.claude');
      return { config, state: join(CLAUDE_CONFIG_DIR ? config : home, '.claude.json') };
    },
    projectFolder: '.claude',
    files: ({ isUser, config, state, root }) => [
      { holds: 'hooks', path: join(config, 'settings.json') },
      { holds: 'server', path: isUser ? state : join(root, '.mcp.json') },
      ...allowedIn('settings.json', isUser, config),
    ],
    editors: {
      allowed: allowedToolsEditor,
      hooks: hooksEditor(
        [
          ...eventsOf([...answered, 'SessionEnd'], {
            PreToolUse: 'Edit|Write|MultiEdit|NotebookEdit|Bash|Task|Agent',
          }),
          ...asynchronously(
            eventsOf(recorded, {
              PostToolUse: 'Edit|Write|MultiEdit|NotebookEdit|Bash|Read',
              PostToolUseFailure: 'Bash',
            }),
          ),
        ],
        'grouped',
      ),
      server: jsonServer({ type: 'stdio' }),
    },
  },
  codex: {
    title: 'Codex',
    program: 'codex',
    folders: oneFolder('.codex', 'CODEX_HOME'),
    projectFolder: '.codex',
    files: filesAt('hooks.json', 'config.toml'),
    editors: {
      hooks: hooksEditor(
        [
          ...eventsOf(answered, { PreToolUse: 'apply_patch|Bash' }),
          ...asynchronously(eventsOf(recorded, { PostToolUse: 'apply_patch|Bash' })),
          // The longest timeout that Codex allows for it.
          { event: 'SessionEnd', timeoutSeconds: 3 },
        ],
        'grouped',
      ),
      server: tomlServerEditor,
      trust: trustEditor,
    },
  },
  opencode: likeOpenCode('opencode', 'OpenCode'),
  pi: {
    title: 'Pi',
    program: 'pi',
    folders: oneFolder(join('.pi', 'agent'), 'PI_CODING_AGENT_DIR'),
    projectFolder: '.pi',
    files: ({ config }) => [
      { holds: 'plugin', path: join(config, 'extensions', 'backstory.ts') },
      { holds: 'server', path: join(config, 'mcp.json') },
    ],
    editors: {
      plugin: pluginEditor('pi', 'pi/backstory.ts'),
      // Without `direct`, Pi offers the tools only to code that the model writes, not to the model.
      server: jsonServer({ exposure: 'direct' }),
    },
  },
  cursor: {
    title: 'Cursor',
    program: 'cursor',
    start: { program: 'cursor-agent' },
    folders: oneFolder('.cursor'),
    projectFolder: '.cursor',
    files: filesAt('hooks.json', 'mcp.json'),
    editors: {
      hooks: hooksEditor(
        eventsOf(
          [
            'sessionStart',
            'beforeSubmitPrompt',
            'afterFileEdit',
            'afterAgentResponse',
            'stop',
            'subagentStop',
            'preCompact',
            'sessionEnd',
          ],
          { postToolUse: 'Shell|Read', postToolUseFailure: 'Shell' },
        ),
        'flat',
      ),
      server: jsonServer(),
    },
  },
  gemini: {
    title: 'Gemini CLI',
    program: 'gemini',
    start: { promptOption: '--prompt-interactive' },
    isPowerShellOnWindows: true,
    folders: ({ GEMINI_CLI_HOME }, home) => {
      const config = join(GEMINI_CLI_HOME || home, '.gemini');
      return { config, state: config };
    },
    projectFolder: '.gemini',
    files: filesAt('settings.json', 'settings.json'),
    editors: {
      hooks: hooksEditor(
        eventsOf(['SessionStart', 'BeforeAgent', 'AfterAgent', 'SessionEnd'], {
          BeforeTool: 'replace|write_file|run_shell_command',
          AfterTool: 'read_file',
        }),
        'grouped-in-milliseconds',
      ),
      server: jsonServer(),
    },
  },
  qwen: {
    title: 'Qwen Code',
    program: 'qwen',
    start: { promptOption: '--prompt-interactive' },
    folders: oneFolder('.qwen', 'QWEN_HOME'),
    projectFolder: '.qwen',
    files: (scope) => [
      ...filesAt('settings.json', 'settings.json')(scope),
      ...allowedIn('settings.json', scope.isUser, scope.config),
    ],
    editors: {
      allowed: allowedToolsEditor,
      hooks: hooksEditor(
        eventsOf([...answered, ...recorded, 'SessionEnd'], {
          PreToolUse: 'edit|write_file|run_shell_command',
          PostToolUse: 'read_file',
        }),
        'grouped',
      ),
      // Without `alwaysLoadTools`, the model has to search for the tools before it can use them.
      server: jsonServer({ alwaysLoadTools: true }),
    },
  },
  kilo: likeOpenCode('kilo', 'Kilo'),
  droid: {
    title: 'Factory Droid',
    program: 'droid',
    folders: oneFolder('.factory'),
    projectFolder: '.factory',
    files: filesAt('settings.json', 'mcp.json'),
    editors: {
      hooks: hooksEditor(
        eventsOf(['SessionStart', 'UserPromptSubmit', ...recorded, 'SessionEnd'], {
          PreToolUse: 'Edit|MultiEdit|Create|ApplyPatch|Execute',
          PostToolUse: 'Read',
        }),
        'grouped',
      ),
      server: jsonServer({ type: 'stdio' }),
    },
  },
  copilot: {
    title: 'GitHub Copilot CLI',
    program: 'copilot',
    start: { promptOption: '-i' },
    folders: oneFolder('.copilot', 'COPILOT_HOME'),
    projectFolder: '.github',
    files: ({ config, isUser, root }) => [
      { holds: 'hooks', path: join(config, 'hooks', 'backstory.json') },
      { holds: 'server', path: isUser ? join(config, 'mcp-config.json') : join(root, '.mcp.json') },
    ],
    editors: {
      // With Claude Code's names of events, Copilot CLI also sends Claude Code's names of fields.
      hooks: hooksEditor(
        eventsOf(['SessionStart', 'UserPromptSubmit', 'Stop', 'PreCompact', 'SessionEnd'], {
          PreToolUse: 'edit|create|apply_patch|bash',
          PostToolUse: 'view',
        }),
        'grouped',
      ),
      server: jsonServer({ type: 'local', tools: ['*'] }),
    },
  },
  grok: {
    title: 'Grok Build',
    program: 'grok',
    folders: oneFolder('.grok', 'GROK_HOME'),
    projectFolder: '.grok',
    files: filesAt(join('hooks', 'backstory.json'), 'config.toml'),
    editors: {
      hooks: hooksEditor(
        eventsOf(['SessionStart', 'UserPromptSubmit', 'Stop', 'PreCompact', 'SessionEnd'], {
          PreToolUse: 'search_replace|write|run_terminal_command',
          // The model sees nothing that a hook prints before its first tool call, so the prelude comes with that.
          PostToolUse:
            'read_file|list_dir|grep|search_replace|write|run_terminal_command|search_tool|use_tool|backstory__.*',
        }),
        'grouped',
      ),
      server: tomlServerEditor,
    },
  },
  cline: {
    title: 'Cline',
    program: 'cline',
    folders: ({ CLINE_DIR, CLINE_DATA_DIR }, home) => {
      const config = CLINE_DIR || join(home, '.cline');
      return { config, state: CLINE_DATA_DIR || join(config, 'data') };
    },
    projectFolder: '.cline',
    files: ({ isUser, config, state }) => [
      ...clineEvents.map((event) => ({
        holds: 'plugin' as const,
        path: join(config, 'hooks', event),
        mode: 0o755,
      })),
      { holds: 'server', path: join(isUser ? join(state, 'settings') : config, 'cline_mcp_settings.json') },
    ],
    editors: { plugin: scriptEditor, server: jsonServer({ disabled: false }) },
  },
};
