import { parseArgs } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Caller } from '../domain/caller.ts';
import { type App, type Command, parserOptions } from './command.ts';
import { loadCommands } from './commands.ts';
import { personOnlyAction, runCommand } from './run-command.ts';

const commands = await loadCommands();
const parse = (command: Command, args: string[]) =>
  parseArgs({ args, options: parserOptions(command), allowPositionals: true });

/** For each command, the forms that need a person and those that do not. A new command must be added here. */
const forms: Record<string, { person?: string[]; anybody?: string[] }> = {
  // It sends the question to the chosen model, which costs.
  recall: { person: ['retries --expand'], anybody: ['retries', 'retries --or again'] },
  why: { anybody: ['a.ts:1'] },
  show: { anybody: ['3fa9c1d2', 'retries --around'] },
  // Anyone may propose a note. Only a person's own note is used without a review.
  remember: { anybody: ['We use Postgres.'] },
  edit: {
    person: ['3fa9c1d2', '3fa9c1d2 --text x', '3fa9c1d2 --wrong', '3fa9c1d2 --reopen', '3fa9c1d2 --pin'],
  },
  enforce: { person: ['3fa9c1d2', '3fa9c1d2 --off', '3fa9c1d2 --command make'], anybody: [''] },
  learn: { person: ['', '--sessions 3', '--undo last'], anybody: ['--retry'] },
  review: { person: ['--accept 3fa9c1d2', '--reject 3fa9c1d2'], anybody: [''] },
  share: {
    person: ['3fa9c1d2', '--trust', '--trust 3fa9c1d2 --yes', '--trust --remove'],
    anybody: ['', '--remove 3fa9c1d2'],
  },
  forget: { person: ['3fa9c1d2 --yes', '--everything', '--containing text'] },
  prelude: { person: ['--mute 3fa9c1d2'], anybody: ['', '--why'] },
  // An agent or script gets a viewer that cannot approve.
  ui: { anybody: ['', '--print'] },
  search: { anybody: ['x', '--task x'] },
  // Without --yes it asks a person, and only shows the diff to anybody else.
  knowledge: { person: ['--yes', '--into AGENTS.md --yes'], anybody: ['', '--dry-run'] },
  attribution: { anybody: ['write HEAD --yes', 'export HEAD'] },
  pr: { person: ['', 'main..HEAD'], anybody: ['--yes', 'HEAD --yes'] },
  handoff: { anybody: ['', 'codex', '--brief', 'resume'] },
  install: {
    person: ['codex --trust-hooks', 'claude-code --allow-tools yes'],
    anybody: ['codex', 'claude-code --repair', 'claude-code --allow-tools no'],
  },
  // It ends capture and lifts the rules that agents are held to.
  uninstall: { person: ['codex', 'all', 'codex --scope project'] },
  // What an agent imports never has the user's trust. But anyone can write an export file with any note in it.
  import: {
    person: ['backup.jsonl.gz', './backup', 'folder/backup', '..\\backup'],
    anybody: ['', 'git', 'claude-memory'],
  },
  // An index file can be edited, and events recovered from it count as captured. A scan only removes secrets, by rules
  // that the caller cannot choose.
  doctor: {
    person: ['--verify --recover', '--verify --accept'],
    anybody: ['', '--verify', '--scan', '--reindex code', '--logs'],
  },
  capture: {
    person: [
      'on',
      'off',
      'pause',
      'pause 1h',
      'resume',
      'exclude *.pem',
      'exclude *.pem --remove',
      'link a b',
      'split',
    ],
    anybody: ['', 'exclude', 'projects'],
  },
  models: { person: ['use', 'use claude'], anybody: ['', 'off'] },
  team: {
    person: [
      'join https://team.example',
      'push',
      'push 3fa9c1d2',
      'take-back 3fa9c1d2',
      'trust ann',
      'report on',
      'report off',
    ],
    anybody: ['status', 'pull', 'leave', 'trust', 'distrust ann', 'report', 'report status'],
  },
  status: { anybody: ['', '--tokens'] },
  config: {
    person: ['capture off', 'capture on --project', 'capture --unset'],
    anybody: ['', 'capture'],
  },
  export: { person: ['', 'backup.jsonl.gz'] },
};

describe('commands that only a person may run', () => {
  it('are classified completely', () => {
    expect(Object.keys(forms).sort()).toEqual(commands.map(({ name }) => name).sort());
  });

  for (const command of commands) {
    const { person = [], anybody = [] } = forms[command.name] ?? {};
    const words = (form: string): string[] => (form === '' ? [] : form.split(' '));
    it(`are recognised by their arguments: ${command.name}`, () => {
      const needing = [...person, ...anybody].filter(
        (form) => personOnlyAction(command, parse(command, words(form))) !== undefined,
      );
      expect(needing).toEqual(person);
    });
  }

  it('do not start with a value that an option does not accept', async () => {
    const command: Command = {
      name: 'example',
      usage: 'example',
      summary: '',
      group: 'Control',
      options: { scope: { about: 'Where.', value: 'SCOPE', choices: ['user', 'project'] } },
      run: async () => ({ value: 1, text: '' }),
    };
    const run = (scope?: string) => runCommand(command, {} as App, { positionals: [], values: { scope } });
    await expect(run('team')).rejects.toThrow('--scope must be one of user, project, not team');
    for (const scope of ['user', 'project', undefined]) expect(await run(scope)).toMatchObject({ value: 1 });
  });

  it('are refused to agents and scripts before they start', async () => {
    let ran = 0;
    const command: Command = {
      name: 'example',
      usage: 'example',
      summary: '',
      group: 'Control',
      needsPerson: 'Approving',
      run: async () => {
        ran += 1;
        return { value: 1, text: '' };
      },
    };
    const by = (caller: Caller) =>
      runCommand(command, { caller: () => caller } as unknown as App, {
        positionals: [],
        values: { yes: true },
      });
    await expect(by({ kind: 'agent', agent: 'pi' })).rejects.toThrow('Approving needs a person');
    await expect(by({ kind: 'unproven', reason: 'there is no terminal' })).rejects.toThrow('no terminal');
    expect(ran).toBe(0);
    await by({ kind: 'person' });
    expect(ran).toBe(1);
  });

  it('may be run with --yes by a set-up script where no agent has run yet, if they set up', async () => {
    const script: Caller = { kind: 'unproven', reason: 'there is no terminal' };
    const agent: Caller = { kind: 'agent', agent: 'pi' };
    const run = (isForSetup: boolean, caller: Caller, used: string | undefined, yes: boolean) =>
      runCommand(
        {
          name: 'example',
          usage: 'example',
          summary: '',
          group: 'Control',
          needsPerson: 'Approving',
          ...(isForSetup ? { isForSetup } : {}),
          run: async () => ({ value: 1, text: 'ran' }),
        },
        { caller: () => caller, usedAgent: () => used } as unknown as App,
        { positionals: [], values: { yes } },
      );
    expect(await run(true, script, undefined, true)).toMatchObject({ text: 'ran' });
    await expect(run(true, script, '/home/ana/.claude/projects', true)).rejects.toThrow('.claude/projects');
    await expect(run(true, script, undefined, false)).rejects.toThrow('needs a person');
    await expect(run(false, script, undefined, true)).rejects.toThrow('needs a person');
    await expect(run(true, agent, undefined, true)).rejects.toThrow('needs a person');
    expect(commands.filter(({ isForSetup }) => isForSetup === true).map(({ name }) => name)).toEqual([
      'install',
      'models',
    ]);
  });
});
