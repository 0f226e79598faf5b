import { parseArgs } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Caller } from '../domain/caller.ts';
import type { App, Command } from './command.ts';
import { loadCommands } from './commands.ts';
import { personOnlyAction, runCommand } from './run-command.ts';

const commands = await loadCommands();
const parse = ({ options }: Command, args: string[]) =>
  parseArgs({ args, options: options ?? {}, allowPositionals: true });

/** For each command, the forms that need a person and those that do not. A new command must be added here. */
const forms: Record<string, { person?: string[]; anybody?: string[] }> = {
  recall: { anybody: ['retries'] },
  timeline: { anybody: ['retries'] },
  why: { anybody: ['a.ts:1'] },
  show: { anybody: ['3fa9c1d2'] },
  // Anyone may propose a note. Only a person's own note is used without a review.
  remember: { anybody: ['We use Postgres.'] },
  edit: { person: ['3fa9c1d2', '3fa9c1d2 --text x'] },
  wrong: { person: ['3fa9c1d2', '3fa9c1d2 --now right'] },
  reopen: { person: ['3fa9c1d2'] },
  enforce: { person: ['3fa9c1d2', '3fa9c1d2 --off'] },
  pin: { person: ['3fa9c1d2', '3fa9c1d2 --off'] },
  distil: { anybody: ['', '--retry'] },
  review: { person: ['--accept 3fa9c1d2', '--reject 3fa9c1d2'], anybody: [''] },
  share: { person: ['3fa9c1d2'], anybody: [''] },
  unshare: { anybody: ['3fa9c1d2'] },
  trust: { person: ['repo', 'repo --yes', 'repo 3fa9c1d2'] },
  forget: { person: ['3fa9c1d2 --yes', '--everything', '--containing text'] },
  prelude: { anybody: ['', '--why'] },
  // An agent or script gets a viewer that cannot approve.
  ui: { anybody: ['', '--print'] },
  search: { anybody: ['x'] },
  // With --fresh the command itself checks it: a drain may repeat what the user has sent before.
  knowledge: { person: ['sync'], anybody: ['', 'build', 'sync --fresh'] },
  files: { anybody: ['x'] },
  pack: { anybody: ['x'] },
  outline: { anybody: ['a.ts'] },
  definition: { anybody: ['x'] },
  references: { anybody: ['x'] },
  handoff: { anybody: ['codex'] },
  resume: { anybody: [''] },
  brief: { anybody: [''] },
  install: { person: ['codex --trust-hooks'], anybody: ['codex', 'claude-code --repair'] },
  // It only edits the agents' settings, which agents can edit themselves, and package managers run it.
  uninstall: { anybody: ['codex'] },
  // What an agent imports never has the user's trust.
  import: { anybody: ['', 'git', 'claude-memory'] },
  doctor: { anybody: [''] },
  completion: { anybody: ['bash'] },
  init: { person: [''] },
  off: { person: [''] },
  pause: { person: ['', '1h', '--off'] },
  exclude: { person: ['*.pem', '*.pem --remove'], anybody: [''] },
  models: { person: ['use', 'use claude'], anybody: ['', 'off'] },
  project: { person: ['link a b', 'split'], anybody: ['', 'list'] },
  team: {
    person: [
      'join https://team.example',
      'push',
      'push 3fa9c1d2',
      'take-back 3fa9c1d2',
      'report on',
      'report off',
    ],
    anybody: ['status', 'pull', 'leave', 'report', 'report status'],
  },
  status: { anybody: [''] },
  // It only lists; the commands that it proposes need a person.
  audit: { anybody: ['', '--team'] },
  stats: { anybody: [''] },
  spend: { anybody: [''] },
  config: {
    person: ['capture off', 'capture on --project', 'capture --unset'],
    anybody: ['', 'capture'],
  },
  // It only removes secrets, by rules that the caller cannot choose.
  scan: { anybody: [''] },
  logs: { anybody: [''] },
  // An index file can be edited, and events recovered from it count as captured.
  verify: { person: ['--recover', '--accept'], anybody: [''] },
  reindex: { anybody: ['', 'code'] },
  export: { anybody: [''] },
  // Anyone can write an export file with any note in it.
  restore: { person: ['backup.jsonl.gz'] },
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
});
