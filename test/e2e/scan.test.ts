import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, inject, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { EventEnvelope } from '../../src/domain/event.ts';
import { createEventLog } from '../../src/store/events/event-log.ts';
import { createSandbox, filesUnder, type Sandbox, settle } from '../support/sandbox.ts';

const installedPackage = inject('installedPackage');
let sandbox: Sandbox;
afterEach(() => sandbox.remove());

/** Assembled at run time, so that no secret scanner finds it in the repository. */
const password = ['q8Zr', '2Lm9', 'Xv4T'].join('');
const short = ['Kx7', '!p2'].join('');
const token = `gh${'p_'}${password}${password}${password}`;
const secrets = [password, short, token];

/** Files below the Backstory home that still contain a secret. */
const left = (): string[] =>
  [...filesUnder(join(sandbox.home, '.backstory'))]
    .filter(({ bytes }) => secrets.some((secret) => bytes.includes(secret)))
    .map(({ path }) => path);

const done = (...args: string[]): string => {
  const { status, stdout, stderr } = sandbox.cli(...args);
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
};

/** Puts the secrets back into the files, as a version with fewer rules would have written them. */
function writtenEarlier(): void {
  sandbox.hook({
    hook_event_name: 'UserPromptSubmit',
    session_id: 'session-1',
    prompt_id: 'turn-1',
    cwd: sandbox.repo,
    prompt: 'we decided to use Postgres',
  });
  done('remember', 'the staging host is db01');
  settle(sandbox);
  const project = sandbox.projectFolder();
  const [first] = sandbox.events() as [EventEnvelope];
  const eventWith = (id: string, text: string): EventEnvelope =>
    ({ ...first, id, body: { ...first.body, text } }) as EventEnvelope;
  createEventLog(join(project, 'events'), systemClock).append([
    eventWith('earlier-1', `we decided that the password of db01 is ${password}`),
    eventWith('earlier-2', `die PIN und das Passwort: ${short}`),
    eventWith('earlier-3', `and ${token} for the pipeline`),
  ]);
  const notes = join(project, 'notes');
  const [note] = readdirSync(notes).filter((name) => name.endsWith('.md')) as [string];
  const text = readFileSync(join(notes, note), 'utf8');
  writeFileSync(join(notes, note), text.replaceAll('db01', `db01, password ${password}`));
  const failure = { at: '2026-11-15T00:00:00.000Z', where: 'hook', code: '', message: `bad token ${token}` };
  appendFileSync(join(sandbox.home, '.backstory', 'failures.jsonl'), `${JSON.stringify(failure)}\n`);
  done('drain');
  settle(sandbox);
}

it('[scan-overwrites] overwrites secrets that earlier versions did not recognise, in every file, and reports only where', () => {
  sandbox = createSandbox(installedPackage);
  done('install', 'claude-code');
  writtenEarlier();
  const before = left();
  expect(before.some((path) => path.includes('events'))).toBe(true);
  expect(before.some((path) => path.includes('index'))).toBe(true);

  const found = done('doctor', '--scan', '--dry-run');
  expect(found).toMatch(/Found \d+ secrets in \d+ files/);
  expect(secrets.filter((secret) => found.includes(secret))).toEqual([]);
  expect(left().sort()).toEqual(before.sort());

  const overwritten = done('doctor', '--scan');
  expect(overwritten).toMatch(/Overwrote \d+ secrets/);
  expect(overwritten).toContain('github-token 1');
  expect(secrets.filter((secret) => overwritten.includes(secret))).toEqual([]);
  expect(left()).toEqual([]);

  // Nothing else is lost: every event is readable and found by its remaining text.
  expect(sandbox.events().map(({ id }) => id)).toEqual(
    expect.arrayContaining(['earlier-1', 'earlier-2', 'earlier-3']),
  );
  expect(done('recall', 'password of db01')).toContain('[redacted:');
  expect(done('doctor', '--scan')).toContain('No secrets found');
  done('doctor', '--reindex');
  settle(sandbox);
  expect(left()).toEqual([]);
});
