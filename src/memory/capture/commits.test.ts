import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../../test/support/memory-home.ts';
import { forget } from '../notes/forget.ts';
import { notePartsOf } from '../notes/note-parts.ts';
import { readPrelude } from '../prelude/prelude-file.ts';

let memory: MemoryHome;
const start = Date.parse('2026-11-14T12:00:00Z');
const minute = 60_000;
const at = (minutes: number): number => start + minutes * minute;

beforeEach(async () => {
  memory = createMemoryHome();
  memory.clock.set(start);
  git('init', '-q', '-b', 'main');
  commit('chore: begin', -60);
  // The project is observed from its first hook on.
  memory.prompt('What is here?', { prompt_id: 'turn-0' });
  memory.answer('Nothing yet.', { prompt_id: 'turn-0' });
  await memory.drain();
});
afterEach(() => memory.remove());

function git(...args: string[]): string {
  return gitAt(0, args);
}

function gitAt(minutes: number, args: string[], author = minutes, cwd = memory.work): string {
  const date = (when: number) => new Date(at(when)).toISOString();
  return execFileSync('git', args, {
    cwd,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      HOME: memory.home,
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.org',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.org',
      GIT_AUTHOR_DATE: date(author),
      GIT_COMMITTER_DATE: date(minutes),
      GIT_CONFIG_COUNT: '0',
    },
  });
}

let files = 0;
function commit(message: string, minutes: number, ...more: string[]): void {
  execFileSync('git', ['config', 'user.email', 'ada@example.org'], { cwd: memory.work });
  files += 1;
  writeFileSync(join(memory.work, `file-${files}.txt`), `${message}\n`);
  gitAt(minutes, ['add', '.']);
  gitAt(minutes, ['commit', '-q', '-m', message, ...more]);
}

/** One turn of an agent, from one minute to another; without an end it is still running. */
function turn(id: string, from: number, until?: number, session = 'session-1'): void {
  memory.clock.set(at(from));
  memory.prompt(`Please do the work of ${id}.`, { prompt_id: id, session_id: session });
  if (until === undefined) return;
  memory.clock.set(at(until));
  memory.answer('Done.', { prompt_id: id, session_id: session });
}

async function drained(minutes: number) {
  memory.clock.set(at(minutes));
  await memory.drain();
  const lines = readPrelude(memory.paths, memory.open().project)?.lines ?? [];
  const superseded = new Set(
    memory.events().flatMap(({ body }) => ('supersedes' in body ? (body.supersedes ?? []) : [])),
  );
  const commits = memory
    .events()
    .flatMap((event) => (event.kind === 'commit' && !superseded.has(event.id) ? [event] : []));
  return {
    shown: lines.filter(({ text }) => text.includes('walrus')),
    trust: commits.find(({ body }) => body.message.includes('walrus'))?.trust,
    origin: commits.find(({ body }) => body.message.includes('walrus'))?.origin,
  };
}

const decision = 'We decided to keep the walrus queue in Postgres because Redis lost jobs.';
const notTold = { shown: [], trust: 1, origin: 'assistant' };

describe('a commit', () => {
  it("[commit-own] is the user's if it was made here while no agent was at work", async () => {
    turn('turn-1', 10, 12);
    commit(decision, 30);
    expect(await drained(31)).toEqual({ shown: [], trust: 2, origin: 'user' });
  });

  it("[commit-agent] is the agent's if it was made during a turn", async () => {
    turn('turn-1', 10, 20);
    commit(decision, 15);
    expect(await drained(31)).toEqual(notTold);
  });

  it("is the agent's while the turn is still running", async () => {
    turn('turn-1', 10);
    commit(decision, 15);
    expect(await drained(15)).toEqual(notTold);
  });

  it("is the agent's shortly after the answer, and while an interrupted turn may still be running", async () => {
    turn('turn-1', 10, 12);
    commit(decision, 13);
    expect(await drained(31)).toEqual(notTold);
    turn('turn-2', 40);
    commit('We decided to feed the walrus twice because it was hungry.', 100);
    expect((await drained(101)).shown).toEqual([]);
  });

  it("is the agent's if any session of the project was at work", async () => {
    turn('turn-1', 10, 20, 'session-2');
    commit(decision, 15);
    expect(await drained(31)).toEqual(notTold);
  });

  it("is the agent's if it was made before Backstory observed the project", async () => {
    commit(decision, -30);
    expect(await drained(31)).toEqual(notTold);
  });

  it("[commit-agent] is nobody's if it is dated after now, even once that time has come", async () => {
    commit(decision, 60);
    expect(await drained(31)).toEqual(notTold);
    expect(await drained(90)).toEqual(notTold);
  });

  it("[commit-agent] is the agent's if it is dated shortly before the turn in which it was written", async () => {
    // The time of a file on disk cannot be chosen here, so the turn runs now.
    const minutes = (Date.now() - start) / minute;
    turn('turn-1', minutes - 0.1);
    commit(decision, minutes - 0.6);
    turn('turn-1', minutes - 0.1, minutes + 0.1);
    expect(await drained(minutes + 0.2)).toEqual(notTold);
  });

  it("[commit-agent] is nobody's if it was there when the repository was first seen", async () => {
    const other = createMemoryHome();
    try {
      other.clock.set(at(0));
      const run = (...args: string[]) => gitAt(10, args, 10, other.work);
      run('init', '-q', '-b', 'main');
      run('config', 'user.email', 'ada@example.org');
      run('commit', '-q', '--allow-empty', '-m', decision);
      other.prompt('What is here?', { prompt_id: 'turn-0' });
      other.answer('Nothing yet.', { prompt_id: 'turn-0' });
      other.clock.set(at(30));
      await other.drain();
      expect(other.events().filter(({ kind }) => kind === 'commit')).toMatchObject([
        { trust: 1, origin: 'assistant' },
      ]);
    } finally {
      other.remove();
    }
  });

  it("is the agent's if it contains an agent's signature", async () => {
    commit(`${decision}\n\nCo-Authored-By: Claude <noreply@anthropic.com>`, 30);
    expect(await drained(31)).toEqual(notTold);
  });

  it("stays the agent's if it is amended later, even with a new author date", async () => {
    turn('turn-1', 10, 20);
    commit('feat: walrus', 15);
    gitAt(60, ['commit', '-q', '--amend', '--reset-author', '-m', decision]);
    expect(await drained(61)).toEqual(notTold);
  });

  it("stays the agent's if it is rebased or cherry-picked", async () => {
    turn('turn-1', 10, 20);
    gitAt(14, ['checkout', '-q', '-b', 'work']);
    commit(decision, 15);
    await drained(21);
    gitAt(60, ['checkout', '-q', 'main']);
    commit('chore: something else', 61);
    gitAt(62, ['cherry-pick', 'work'], 15);
    expect((await drained(63)).shown).toEqual([]);
    gitAt(64, ['checkout', '-q', 'work']);
    gitAt(65, ['rebase', '-q', 'main~1'], 15);
    expect((await drained(66)).shown).toEqual([]);
  });

  it("is the agent's if it repeats an agent's commit message, as after a squash or a revert", async () => {
    turn('turn-1', 10, 20);
    gitAt(14, ['checkout', '-q', '-b', 'work']);
    commit(decision, 15);
    await drained(21);
    gitAt(60, ['checkout', '-q', 'main']);
    commit(`Squashed commit of the following:\n\n    ${decision}`, 61);
    expect((await drained(63)).shown).toEqual([]);
  });

  it("is the agent's if it is backdated", async () => {
    turn('turn-1', 10, 20);
    commit('chore: today', 25);
    turn('turn-2', 30, 40);
    commit(decision, 5);
    expect(await drained(41)).toEqual(notTold);
  });

  it("becomes the agent's if a later import shows that one was at work, even after that evidence is forgotten", async () => {
    commit(decision, 30);
    expect((await drained(31)).trust).toBe(2);
    turn('turn-1', 25, 35, 'session-late');
    expect(await drained(60)).toEqual(notTold);
    const parts = memory.open();
    await forget(parts, { ids: [], source: 'session-late' }, notePartsOf(parts).context);
    expect(await drained(70)).toEqual(notTold);
    parts.access.discard();
    expect(await drained(71)).toEqual(notTold);
  });

  it("is the agent's if an agent in another project ran a command that names this folder", async () => {
    const here = memory.work;
    const there = join(memory.home, 'elsewhere');
    mkdirSync(there);
    memory.work = there;
    turn('turn-1', 40, undefined, 'session-there');
    memory.clock.set(at(41));
    memory.hook({
      hook_event_name: 'PostToolUse',
      session_id: 'session-there',
      prompt_id: 'turn-1',
      cwd: there,
      tool_name: 'Bash',
      tool_use_id: 'tool-1',
      tool_input: { command: 'git -C ../work commit -m x' },
      tool_response: { stdout: '', stderr: '' },
    });
    memory.work = here;
    commit(decision, 41);
    expect(await drained(45)).toEqual(notTold);
  });
});
