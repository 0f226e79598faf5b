import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PersonRun } from '../../test/support/person.ts';

/** A terminal in which people type. */
export interface PersonTerminal {
  name: string;
  env: Record<string, string>;
  inTerminal?: PersonRun['inTerminal'];
}

/** The terminals that this machine has; `missing` names the others. */
export function personTerminals(
  folder: string,
  port: number,
  onEnd: (undo: () => void) => void,
): { terminals: PersonTerminal[]; missing: string[] } {
  const missing: string[] = [];
  const terminals: PersonTerminal[] = [{ name: 'plain', env: {} }, editorTerminal(folder)];
  if (has('tmux', '-V')) terminals.push(tmuxTerminal());
  else missing.push('tmux');
  const ssh = sshTerminal(folder, port, onEnd);
  if (ssh !== undefined) terminals.push(ssh);
  else missing.push('sshd');
  return { terminals, missing };
}

const has = (program: string, ...args: string[]): boolean => spawnSync(program, args).error === undefined;

/** The environment of the integrated terminal of VS Code or Cursor, below a process of its name. */
function editorTerminal(folder: string): PersonTerminal {
  const editor = join(folder, 'code');
  if (!existsSync(editor)) symlinkSync('/bin/bash', editor);
  return {
    name: 'editor',
    env: {
      TERM_PROGRAM: 'vscode',
      TERM_PROGRAM_VERSION: '1.112.0',
      VSCODE_INJECTION: '1',
      VSCODE_IPC_HOOK_CLI: '/tmp/vscode-ipc.sock',
      VSCODE_GIT_IPC_HANDLE: '/tmp/vscode-git.sock',
      CLAUDE_CODE_SSE_PORT: '53021',
      CURSOR_TRACE_ID: '1f0c',
      COLORTERM: 'truecolor',
    },
    inTerminal: (line) => `${editor} -c "script -qc '${line}' /dev/null; true" --type=ptyHost`,
  };
}

function tmuxTerminal(): PersonTerminal {
  let count = 0;
  return {
    name: 'tmux',
    env: { TMUX_PANE: '%0' },
    inTerminal: (line) => {
      count += 1;
      const tmux = `tmux -L backstory-${process.pid}-${count}`;
      return `${tmux} -f /dev/null new-session -d -x 100 -y 30 "${line}; ${tmux} wait-for -S ended"; ${tmux} wait-for ended; ${tmux} kill-server`;
    },
  };
}

/** Starts an SSH server on loopback, with keys of its own. Undefined if there is none on this machine. */
function sshTerminal(
  folder: string,
  port: number,
  onEnd: (undo: () => void) => void,
): PersonTerminal | undefined {
  const server = '/usr/sbin/sshd';
  if (!existsSync(server) || process.getuid?.() !== 0) return undefined;
  mkdirSync('/run/sshd', { recursive: true });
  const own = join(folder, 'ssh');
  mkdirSync(own, { mode: 0o700 });
  for (const name of ['host', 'user'])
    execFileSync('/usr/bin/ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(own, name)]);
  const settings = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${join(own, 'host')}`,
    `AuthorizedKeysFile ${join(own, 'user.pub')}`,
    `PidFile ${join(own, 'pid')}`,
    'PermitRootLogin yes',
    'StrictModes no',
    'UsePAM no',
  ];
  writeFileSync(join(own, 'settings'), `${settings.join('\n')}\n`);
  // It leaves this process and its environment, as the server of a machine does.
  execFileSync(server, ['-f', join(own, 'settings')], { env: { PATH: process.env.PATH ?? '' } });
  onEnd(() => process.kill(Number(readFileSync(join(own, 'pid'), 'utf8'))));
  const options = '-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR';
  return {
    name: 'ssh',
    env: { SSH_CONNECTION: `127.0.0.1 50000 127.0.0.1 ${port}`, SSH_TTY: '/dev/pts/0' },
    inTerminal: (line) => `ssh -tt ${options} -p ${port} -i ${join(own, 'user')} root@127.0.0.1 '${line}'`,
  };
}
