import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { commandNames } from '../../src/cli/commands.ts';
import { createSandbox, git, type Sandbox, settle } from '../support/sandbox.ts';

const esc = String.fromCodePoint(0x1b);
const bell = String.fromCodePoint(0x07);
/**
 * Sets a window title, clears the screen, changes colours, reverses the text direction and hides text in tag
 * characters.
 */
const hostile = `bad${esc}]0;pwned${bell}${esc}[2J${esc}[31m\u009b1m\u202eevil\u{e0041}\u200b\u{e0101}name`;
const file = `${hostile}.ts`;
const word = 'walrusQueue';

/** Colour codes that the program itself prints. */
const own = new RegExp(`${esc}\\[(?:0|1|2|31|32|36)m`, 'g');
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202e\u{e0000}-\u{e0fff}]/u;

/** Calls with which each command shows the hostile file. A new command must be added here. */
const calls: Record<string, string[][]> = {
  recall: [[word], [hostile], [word, '--full'], [word, '--why']],
  notes: [[], [hostile]],
  sessions: [[], [hostile]],
  why: [[`${file}:1`], [hostile], ['HEAD', '--full'], ['--staged']],
  pr: [['HEAD~0..HEAD', '--yes'], [hostile]],
  attribution: [['write', 'HEAD', '--yes'], ['export', 'HEAD'], [hostile]],
  show: [[hostile], ['--around', word], ['--around', hostile]],
  remember: [[`We use ${word} ${hostile}`], [hostile, '--file', file]],
  edit: [[hostile], [hostile, '--wrong', '--now', hostile], [hostile, '--reopen'], [hostile, '--pin']],
  enforce: [[], [hostile]],
  learn: [['--retry'], ['--undo', hostile]],
  review: [[], ['--list'], [hostile]],
  share: [[], [hostile], ['--remove', hostile], ['--trust']],
  forget: [[hostile], ['--containing', hostile]],
  prelude: [[]],
  ui: [['--help']],
  search: [
    [word],
    [hostile],
    [word, '--path', hostile],
    ...['--ask', '--task', '--definition', '--references', '--files', '--outline'].flatMap((mode) => [
      [mode, mode === '--files' ? 'bad' : mode === '--outline' ? file : word],
      [mode, hostile],
    ]),
  ],
  knowledge: [[], ['--into', hostile], ['--yes']],
  handoff: [[], [hostile], ['--brief'], ['resume', hostile]],
  install: [[hostile], ['claude-code']],
  import: [[hostile], ['claude-memory'], [`${hostile}.gz`]],
  doctor: [
    [],
    ['--scan', '--dry-run'],
    ['--verify'],
    ['--logs'],
    ['--reindex', 'code'],
    ['--reindex', hostile],
  ],
  capture: [['pause', hostile], ['exclude', hostile], ['projects'], ['link', hostile, hostile]],
  models: [[], [hostile]],
  team: [['status'], ['join', hostile]],
  status: [[], ['--tokens']],
  config: [[], ['set', hostile, hostile]],
  export: [[hostile]],
  uninstall: [[hostile]],
};
/** These speak a protocol on standard output, or print nothing. */
const withoutTerminal = ['mcp', 'lsp', 'serve', 'drain'];

let sandbox: Sandbox;
beforeAll(() => {
  sandbox = createSandbox(inject('installedPackage'));
  const { repo } = sandbox;
  git(repo, 'checkout', '-qb', 'side\u200b-\u202eevil');
  mkdirSync(join(repo, 'src'));
  writeFileSync(
    join(repo, file),
    `export function ${word}() { return '${hostile}'; }\n${word}(); // ${hostile}\n`,
  );
  git(repo, 'add', '-A');
  git(repo, 'commit', '-qm', `queue: add ${word} ${hostile.replaceAll(/[\u0000-\u001f]/g, '')}`);
  expect(sandbox.cli('install', 'claude-code').status).toBe(0);
  const hook = (hook_event_name: string, more: object) =>
    sandbox.hook({ session_id: 'one', prompt_id: 'turn', cwd: repo, hook_event_name, ...more });
  hook('SessionStart', { source: 'startup' });
  hook('UserPromptSubmit', { prompt: `We decided to keep ${word} in Postgres because ${hostile}.` });
  hook('PostToolUse', {
    tool_name: 'Edit',
    tool_use_id: 'edit',
    tool_input: { file_path: join(repo, file) },
    tool_response: { structuredPatch: [{ oldStart: 1, newStart: 1, lines: [`+${word}(); // ${hostile}`] }] },
  });
  hook('PostToolUse', {
    tool_name: 'Bash',
    tool_use_id: 'run',
    tool_input: { command: `npm test ${hostile}` },
    tool_response: { stdout: hostile, stderr: '', interrupted: false },
  });
  hook('Stop', { last_assistant_message: `Done with ${word}. ${hostile}` });
  settle(sandbox);
});
afterAll(() => sandbox.remove());

it('[terminal-text] the list covers every command', () => {
  expect(Object.keys(calls).sort()).toEqual(
    commandNames.filter((name) => !withoutTerminal.includes(name)).sort(),
  );
});

it.each(Object.entries(calls))(
  '[terminal-text] %s prints no control or hidden character of a file, with and without colour',
  (name, all) => {
    for (const args of all) {
      for (const env of [{ FORCE_COLOR: '1', COLUMNS: '80' }, { NO_COLOR: '1' }]) {
        const { stdout, stderr } = sandbox.cliWith(env, name, ...args.map((arg) => arg.replaceAll('\0', '')));
        const printed = (stdout + stderr).replaceAll('FORCE_COLOR' in env ? own : '', '');
        expect(
          hidden.exec(printed),
          `${name} ${JSON.stringify(args)}\n${JSON.stringify(printed)}`,
        ).toBeNull();
      }
      const { stdout } = sandbox.cli(name, ...args, '--json');
      expect(hidden.exec(stdout), `${name} --json`).toBeNull();
      if (stdout !== '' && args[0] !== '--help') expect(() => JSON.parse(stdout)).not.toThrow();
    }
  },
);

it('[terminal-text] --json prints exactly what is in the file', () => {
  const { files } = sandbox.json<{ files: { path: string; hits: { text: string }[] }[] }>('search', word);
  const found = files.find(({ path }) => path === file);
  expect(found?.hits.some(({ text }) => text.includes(hostile))).toBe(true);
  expect(sandbox.cli('search', word).stdout).toContain('bad<U+001B>]0;pwned<U+0007><U+001B>[2J');
});
