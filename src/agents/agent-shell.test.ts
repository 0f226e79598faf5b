import { describe, expect, it } from 'vitest';
import { agentSigns, callerOf, type ParentProcess } from './agent-shell.ts';

const parent = (argv: string[], variables: string[] = [], name = ''): ParentProcess => ({
  pid: 7,
  argv,
  variables,
  name,
});
const terminal = { variables: ['HOME', 'PATH'], ancestors: [parent(['-zsh']), parent(['sshd: ada@pts/3'])] };

describe('callerOf', () => {
  it('reports a person at a terminal without signs of an agent', () => {
    expect(callerOf(terminal)).toEqual({ kind: 'person' });
  });

  it.each(agentSigns.flatMap(({ agent, variables }) => variables.map((name) => [name, agent])))(
    'recognises %s as a variable of %s, set for the command or for a parent process',
    (name, agent) => {
      expect(callerOf({ ...terminal, variables: ['PATH', name] })).toMatchObject({ kind: 'agent', agent });
      const ancestors = [parent(['bash']), parent(['tmux', 'new'], ['HOME', name]), parent(['init'])];
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
  ])('recognises the program of %s among the parent processes: %j', (agent, argv) => {
    expect(callerOf({ ...terminal, ancestors: [parent(['sh', '-c', 'x']), parent(argv)] })).toMatchObject({
      kind: 'agent',
      agent,
    });
  });

  it('uses the kernel name of a process whose command line was overwritten', () => {
    expect(callerOf({ ...terminal, ancestors: [parent([''], [], 'opencode')] })).toMatchObject({
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
  ])('ignores %s, because people and editors set it', (name) => {
    expect(callerOf({ ...terminal, variables: [name] })).toEqual({ kind: 'person' });
  });

  it.each([
    [['/usr/share/cursor/cursor', '--type=ptyHost']],
    [['vim', 'claude.md']],
    [['tmux', 'new', '-s', 'codex']],
    [['node', '/home/ada/shop/server.js', 'claude']],
  ])('does not recognise %j as an agent', (argv) => {
    expect(callerOf({ ...terminal, ancestors: [parent(argv)] })).toEqual({ kind: 'person' });
  });

  it('reports an unproven caller without a terminal, with the reason', () => {
    expect(callerOf({ ...terminal, noTerminal: 'standard input is not a terminal' })).toEqual({
      kind: 'unproven',
      reason: 'standard input is not a terminal',
    });
  });

  it('names the agent even if there is no terminal', () => {
    expect(callerOf({ ...terminal, variables: ['CLAUDECODE'], noTerminal: 'x' })).toEqual({
      kind: 'agent',
      agent: 'claude-code',
      sign: 'CLAUDECODE is set',
    });
  });
});
