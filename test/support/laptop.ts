import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Note } from '../../src/domain/note.ts';
import { createMarkdownNotes } from '../../src/store/notes/markdown-notes.ts';
import { aNote } from '../contract/samples.ts';
import { onEnd } from '../harness/cleanup.ts';
import type { InstalledPackage } from '../harness/package.ts';
import { claude } from './claude.ts';
import { type Script, startModel, text } from './fake-model.ts';
import { runAsPerson, startAsPerson } from './person.ts';
import { createSandbox, filesUnder, git, type Sandbox, settle } from './sandbox.ts';
import { until } from './until.ts';

/** A developer's machine: a HOME, a clone of the repository, the installed package and the real Claude Code. */
export interface Laptop {
  sandbox: Sandbox;
  /** Runs a session of the agent and returns everything its model received. */
  session(prompt: string, script?: Script): Promise<string>;
  /** Id of the note with these words, except summaries; undefined if there is none. */
  noteSaying(words: string): string | undefined;
  notes(): number;
  /** Files of Backstory that contain these words in any form. */
  filesSaying(words: string): string[];
  /** Writes many notes, each marked to be shared. */
  writeSharedNotes(count: number): Promise<void>;
  joinByToken(url: string, token: string): void;
  /** Joins the team as a person does: reads the code in the terminal and types it on the server's page. */
  joinByCode(url: string, token: string): Promise<void>;
  team<T>(...args: string[]): T;
  run(...args: string[]): string;
}

function sharedNote(number: number): Note {
  const at = new Date(Date.UTC(2026, 9, 1) + number * 3_600_000).toISOString();
  const text = `Rule ${number} of the house: keep what is written in file ${number} short.`;
  return aNote({
    id: `01990000-0000-7000-8000-${String(number).padStart(12, '0')}`,
    kind: 'rule',
    title: text,
    created: at,
    updated: at,
    author: 'ann',
    visibility: 'team',
    validFrom: at,
    text,
  });
}

/** A session's summary repeats its text and is not a note that a user would share. */
const isSummary = /^kind: summary$/m;
const idLine = /^id: "?([0-9a-f-]{36})"?$/m;

export function openLaptop({ folder }: InstalledPackage, user: string): Laptop {
  const sandbox = createSandbox(folder);
  onEnd(sandbox.remove);
  sandbox.env.USER = user;
  git(sandbox.repo, 'remote', 'add', 'origin', 'https://git.example.org/acme/queue.git');
  git(sandbox.repo, 'commit', '-qm', 'first', '--allow-empty');
  const main = join(folder, 'dist', 'main.js');
  const run = (...args: string[]): string => {
    const { status, stdout, stderr } = sandbox.cli(...args);
    if (status !== 0) throw new Error(`${args.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  };
  const noteFiles = () => {
    const notes = join(sandbox.projectFolder(), 'notes');
    return readdirSync(notes)
      .filter((name) => name.endsWith('.md'))
      .map((name) => readFileSync(join(notes, name), 'utf8'));
  };
  run('install', 'claude-code');
  run('config', 'actor', user);
  return {
    sandbox,
    run,
    async session(prompt, script = { steps: [text('Understood.')] }) {
      const model = await startModel(sandbox, script);
      try {
        claude(sandbox, model, prompt);
        settle(sandbox);
        return model
          .requests()
          .map(({ body }) => JSON.stringify(body))
          .join('\n');
      } finally {
        model.stop();
      }
    },
    noteSaying: (words) =>
      idLine.exec(noteFiles().find((file) => file.includes(words) && !isSummary.test(file)) ?? '')?.[1],
    notes: () => noteFiles().length,
    filesSaying: (words) =>
      [...filesUnder(join(sandbox.home, '.backstory'))]
        .filter(({ bytes }) => bytes.includes(words))
        .map(({ path }) => path),
    async writeSharedNotes(count) {
      const notes = createMarkdownNotes(join(sandbox.projectFolder(), 'notes'), () => {});
      for (let number = 0; number < count; number++) {
        await notes.put(sharedNote(number));
      }
    },
    joinByToken(url, token) {
      const { status, stdout, stderr } = runAsPerson([main, 'team', 'join', url, '--token-stdin'], {
        cwd: sandbox.repo,
        env: sandbox.env,
        piped: `${token}\n`,
      });
      if (status !== 0) throw new Error(`join: ${stdout}${stderr}`);
    },
    async joinByCode(url, token) {
      let output = '';
      let exit: number | null | undefined;
      const ended = startAsPerson([main, 'team', 'join', url], {
        cwd: sandbox.repo,
        env: sandbox.env,
        onStderr: (text) => {
          output = text;
        },
      }).then(({ status }) => {
        exit = status;
      });
      await until(() => /[A-Z]{4}-[A-Z]{4}/.test(output) || exit !== undefined);
      if (exit !== undefined) throw new Error(`join: ${output}`);
      const page = /Open (\S+)/.exec(output)?.[1] ?? '';
      const code = /[A-Z]{4}-[A-Z]{4}/.exec(output)?.[0] ?? '';
      const { status } = await fetch(page, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ code, token }).toString(),
      });
      await ended;
      if (status !== 200 || exit !== 0)
        throw new Error(`join by code: page ${status}, exit ${exit}: ${output}`);
    },
    team: <T>(...args: string[]) => sandbox.json<T>('team', ...args),
  };
}
