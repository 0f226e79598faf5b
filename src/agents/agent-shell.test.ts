import { describe, expect, it } from 'vitest';
import { agentSigns, callerOf, type ParentProcess, untypedReason } from './agent-shell.ts';

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

describe('untypedReason', () => {
  const withTerminal = (one: ParentProcess): ParentProcess => ({ ...one, hasTerminal: true });
  const claude = parent(['/opt/claude', '-p', 'Go on.'], ['HOME'], 'claude');
  const codex = parent(['/opt/codex', 'exec', 'Go on.'], ['HOME'], 'codex');
  const reason = (agent: string, ancestors: ParentProcess[], variables = {}, source = '') =>
    untypedReason({ agent, ancestors, variables, source });
  const login = [parent(['-zsh'], ['HOME']), parent(['sshd: ada@pts/3'])];

  it('accepts a prompt at a terminal, whether or not the agent starts its hook through a shell', () => {
    expect(reason('claude-code', [withTerminal(claude), ...login])).toBeUndefined();
    expect(reason('claude-code', [parent(['sh'], [], 'sh'), withTerminal(claude), ...login])).toBeUndefined();
  });

  it('accepts `claude -p` at a terminal, and refuses it without one', () => {
    const unattended = { CLAUDE_CODE_SESSION_ATTENDED: '0' };
    expect(reason('claude-code', [withTerminal(claude), ...login], unattended)).toBeUndefined();
    const detached = [{ ...claude, hasTerminal: false }, ...login];
    expect(reason('claude-code', detached, unattended)).toBe('headless session');
    expect(reason('claude-code', detached, { CLAUDE_CODE_SESSION_ATTENDED: '1' })).toBeUndefined();
  });

  it('refuses an agent for the terminal that has none, except in the window of an editor', () => {
    expect(reason('codex', [{ ...codex, hasTerminal: false }, ...login])).toBe('headless session');
    const inEditor = { ...codex, argv: ['/opt/codex', 'app-server'], hasTerminal: false };
    expect(reason('codex', [inEditor, parent(['/usr/share/code/code'])])).toBeUndefined();
    expect(reason('cursor', [parent(['/usr/share/cursor/cursor']), ...login])).toBeUndefined();
  });

  it('refuses a prompt that another agent gave, and names that agent', () => {
    const above = { ...claude, pid: 41 };
    expect(reason('codex', [withTerminal(codex), parent(['bash']), above, ...login])).toBe(
      'started by claude-code (pid 41)',
    );
    expect(reason('claude-code', [withTerminal(claude), parent(['bash']), above, ...login])).toBe(
      'started by claude-code (pid 41)',
    );
    // The shell replaced itself by the agent, so there is no shell between the two.
    expect(reason('claude-code', [withTerminal(claude), above, ...login])).toBe(
      'started by claude-code (pid 41)',
    );
    expect(reason('cursor', [parent(['bash'], [], 'bash'), above, ...login])).toBe(
      'started by claude-code (pid 41)',
    );
  });

  it('refuses an agent with the environment of an agent, or below a terminal that has it', () => {
    const inherited = withTerminal({ ...codex, variables: ['HOME', 'CLAUDECODE'] });
    expect(reason('codex', [inherited, ...login])).toContain('a shell of claude-code');
    const tmux = { ...parent(['tmux', 'new', '-d'], ['CLAUDECODE']), pid: 42 };
    expect(reason('codex', [withTerminal(codex), tmux])).toContain('CLAUDECODE is set for process 42');
  });

  it('does not take the script that starts an agent for another agent', () => {
    const script = parent(
      ['node', '/usr/lib/@openai/codex/bin/codex.js', 'exec', 'Go on.'],
      ['HOME'],
      'node',
    );
    expect(reason('codex', [withTerminal(codex), withTerminal(script), ...login])).toBeUndefined();
    const other = parent(
      ['node', '/usr/lib/@openai/codex/bin/codex.js', 'exec', 'Ask codex.'],
      ['HOME'],
      'node',
    );
    expect(reason('codex', [withTerminal(codex), withTerminal(other), ...login])).toContain(
      'started by codex',
    );
  });

  it('does not take a desktop app for an agent above', () => {
    const app = parent(['/Applications/Claude.app/Contents/MacOS/Claude']);
    expect(reason('claude-code', [claude, app], { CLAUDE_CODE_SESSION_ATTENDED: '1' })).toBeUndefined();
  });

  it('uses the environment of the hook where that of parent processes cannot be read', () => {
    expect(reason('codex', [], { CLAUDECODE: '1', CODEX_THREAD_ID: 'x' })).toContain(
      'a shell of claude-code',
    );
    expect(reason('kilo', [], { KILO: '1', OPENCODE: '1', AGENT: '1' })).toBeUndefined();
  });

  it('refuses a prompt that the agent made itself', () => {
    expect(reason('claude-code', [withTerminal(claude), ...login], {}, 'loop_wakeup')).toBe(
      'claude-code wrote it for itself (loop_wakeup)',
    );
  });
});
