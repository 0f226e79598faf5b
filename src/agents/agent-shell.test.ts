import { describe, expect, it } from 'vitest';
import { agentSigns, callerOf, type ProcessSeen } from './agent-shell.ts';

const seen = (argv: string[], variables: string[] = [], name = ''): ProcessSeen => ({
  argv,
  variables,
  name,
});
const terminal = { variables: ['HOME', 'PATH'], ancestors: [seen(['-zsh']), seen(['sshd: ada@pts/3'])] };

describe('who started a command', () => {
  it('takes a terminal without a sign of an agent for a person', () => {
    expect(callerOf(terminal)).toEqual({ kind: 'person' });
  });

  it.each(agentSigns.flatMap(({ agent, variables }) => variables.map((name) => [name, agent])))(
    'takes the variable %s for %s, set for the command or for one of its parents',
    (name, agent) => {
      expect(callerOf({ ...terminal, variables: ['PATH', name] })).toMatchObject({ kind: 'agent', agent });
      const ancestors = [seen(['bash']), seen(['tmux', 'new'], ['HOME', name]), seen(['init'])];
      expect(callerOf({ ...terminal, ancestors })).toMatchObject({ kind: 'agent', agent });
    },
  );

  it.each([
    ['claude-code', ['/opt/claude-code-linux-x64/claude', '-p', 'go']],
    ['codex', ['node', '/usr/lib/node_modules/@openai/codex/bin/codex.js']],
    ['pi', ['pi                         ']],
    ['gemini', ['/usr/bin/node', '--no-warnings', '/usr/local/bin/gemini']],
    ['copilot', ['node', '/usr/lib/node_modules/@github/copilot/index.js']],
    ['cursor', ['/home/ada/.local/bin/cursor-agent']],
    ['claude-code', ['C:\\Users\\Ada\\claude.exe']],
  ])('takes the program of %s among the parents for the agent: %j', (agent, argv) => {
    expect(callerOf({ ...terminal, ancestors: [seen(['sh', '-c', 'x']), seen(argv)] })).toMatchObject({
      kind: 'agent',
      agent,
    });
  });

  it('goes by the name that the kernel has for a process where its command line was overwritten', () => {
    expect(callerOf({ ...terminal, ancestors: [seen([''], [], 'opencode')] })).toMatchObject({
      agent: 'opencode',
    });
  });

  it.each([
    'CLAUDE_CODE_SSE_PORT',
    'CLAUDE_CONFIG_DIR',
    'CODEX_HOME',
    'OPENCODE_CONFIG',
    'PI_OFFLINE',
    'CURSOR_TRACE_ID',
    'SSH_AUTH_SOCK',
  ])('takes %s for no sign, because people and editors set it', (name) => {
    expect(callerOf({ ...terminal, variables: [name] })).toEqual({ kind: 'person' });
  });

  it.each([
    [['/usr/share/cursor/cursor', '--type=ptyHost']],
    [['vim', 'claude.md']],
    [['tmux', 'new', '-s', 'codex']],
    [['node', '/home/ada/shop/server.js', 'claude']],
  ])('takes %j for no agent', (argv) => {
    expect(callerOf({ ...terminal, ancestors: [seen(argv)] })).toEqual({ kind: 'person' });
  });

  it('proves no person without a terminal, and says why', () => {
    expect(callerOf({ ...terminal, noTerminal: 'standard input is not a terminal' })).toEqual({
      kind: 'unproven',
      reason: 'standard input is not a terminal',
    });
  });

  it('names the agent rather than the missing terminal', () => {
    expect(callerOf({ ...terminal, variables: ['CLAUDECODE'], noTerminal: 'x' })).toEqual({
      kind: 'agent',
      agent: 'claude-code',
      sign: 'CLAUDECODE is set',
    });
  });
});
