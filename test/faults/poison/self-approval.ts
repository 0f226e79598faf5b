import { parseArgs } from 'node:util';
import {
  agentSigns,
  callerOf,
  type ParentProcess,
  type ProcessContext,
} from '../../../src/agents/agent-shell.ts';
import { AppError } from '../../../src/base/errors.ts';
import type { App } from '../../../src/cli/command.ts';
import { loadCommands } from '../../../src/cli/commands.ts';
import { runCommand } from '../../../src/cli/run-command.ts';
import { agentAttack } from './agent-attack.ts';

/**
 * Runs every command that approves or weakens something from the shell of every known agent, started in every way. The
 * process information of the system is simulated here; `installed-self-approval.ts` uses real processes.
 */
export const selfApproval = agentAttack("approval from an agent's shell", async ({ isShort }) => {
  const commands = new Map((await loadCommands()).map((command) => [command.name, command]));
  const signs = isShort ? agentSigns.slice(0, 6) : agentSigns;
  const total = { attempts: 0, told: 0, approved: 0, byPerson: { done: 0, wanted: 0 } };
  /** Whether the command passes the check for a person. The command itself is not run. */
  const passes = async (line: string, surroundings: ProcessContext): Promise<boolean> => {
    const [name = '', ...args] = line.split(' ');
    const command = commands.get(name);
    if (command === undefined) throw new Error(`there is no command called ${name}`);
    const given = parseArgs({ args, options: command.options ?? {}, allowPositionals: true });
    const stub = { ...command, run: async () => ({ value: null, text: '' }) };
    const app = { caller: () => callerOf(surroundings) } as unknown as App;
    try {
      await runCommand(stub, app, given);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'FORBIDDEN') return false;
      throw error;
    }
  };
  for (const { variables, programs } of signs) {
    const shells = [
      ...variables.map((name) => ({ variables: [name], ancestors: [seen(['agent'], [name])] })),
      ...programs.map((name) => ({ variables: [], ancestors: [seen([`/usr/bin/${name}`, '-p', 'go'])] })),
      ...programs.map((name) => ({ variables: [], ancestors: [seen(['node', `/opt/${name}.js`])] })),
    ];
    for (const shell of shells) {
      for (const surroundings of manners(shell)) {
        for (const line of approving) {
          total.attempts += 1;
          if (await passes(line, surroundings)) total.approved += 1;
        }
      }
    }
  }
  for (const line of approving) {
    total.byPerson.wanted += 1;
    if (await passes(line, { variables: ['HOME', 'TERM'], ancestors: [seen(['-bash']), seen(['sshd'])] }))
      total.byPerson.done += 1;
  }
  return total;
});

const seen = (argv: string[], variables: string[] = []): ParentProcess => ({
  pid: 7,
  argv,
  variables,
  name: argv[0] ?? '',
});

const approving = [
  'pin 3fa9c1d2',
  'edit 3fa9c1d2 --text x',
  'wrong 3fa9c1d2 --now x',
  'review --accept 3fa9c1d2',
  'review --reject 3fa9c1d2',
  'trust repo --yes',
  'forget --everything --yes',
  'config capture off',
  'config capture --unset',
  'off',
  'pause',
  'exclude **',
  'init',
  'project link a b',
  'project split',
  'share 3fa9c1d2',
  'team push 3fa9c1d2',
  'team join https://team.example',
  'knowledge sync',
  'models use claude',
  'restore backup.jsonl.gz',
  'install codex --trust-hooks',
];

/**
 * Ways to start a command from an agent: directly, in a terminal that the agent opened, with sh -c, nohup, a pipe, env
 * -i, setsid, a multiplexer, and fully detached.
 */
function manners({ variables, ancestors }: ProcessContext): ProcessContext[] {
  const piped = { noTerminal: 'standard input is not a terminal' };
  const detached = { noTerminal: 'this process has no controlling terminal' };
  const inShell = [seen(['sh', '-c', 'backstory pin'], variables), ...ancestors];
  return [
    { variables, ancestors, ...piped },
    { variables, ancestors },
    { variables, ancestors: inShell },
    { variables, ancestors: [seen(['nohup', 'backstory']), ...inShell], ...piped },
    { variables: [], ancestors: [seen(['env', '-i', 'backstory'], variables), ...ancestors] },
    { variables: [], ancestors: [seen(['script', '-qc', 'backstory pin']), ...ancestors] },
    { variables, ancestors: [seen(['/sbin/init'])], ...detached },
    // An agent that sets no variable and opens a terminal outside of its own processes cannot be distinguished from a
    // person.
    ...(variables.length === 0
      ? []
      : [{ variables: [], ancestors: [seen(['tmux', 'new', '-d'], variables), seen(['/sbin/init'])] }]),
    { variables: [], ancestors: [seen(['tmux: server'], variables), ...ancestors] },
    { variables: [], ancestors: [seen(['/sbin/init'])], ...detached },
  ];
}
