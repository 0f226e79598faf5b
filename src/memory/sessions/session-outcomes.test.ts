import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commitAll, editAs, gitAt, runAs } from '../../../test/support/agent-edits.ts';
import { createMemoryHome, type MemoryHome } from '../../../test/support/memory-home.ts';
import { git } from '../../../test/support/sandbox.ts';
import type { AgentSessionFilter } from '../../domain/agent-session.ts';
import { quickLimits } from '../../recall/with-index.ts';
import { historyOf } from '../notes/note-history.ts';
import { notePartsOf } from '../notes/note-parts.ts';
import { sourcesOf } from '../notes/note-sources.ts';
import { acceptNote } from '../notes/review.ts';
import { listAgentSessions } from './agent-sessions.ts';
import { openHit } from './open-hit.ts';
import { failingLately, outcomesOf, sessionsOfCommit } from './session-outcomes.ts';

describe('the outcome of an agent session', () => {
  let memory: MemoryHome;
  beforeEach(() => {
    memory = createMemoryHome();
    writeFileSync(join(memory.work, 'queue.ts'), 'export {};\n');
  });
  afterEach(() => memory.remove());

  const decide = async () => {
    memory.prompt(
      "Let's use Postgres for the job queue instead of Redis, because jobs and rows commit together.",
    );
    memory.answer('Done.');
    await memory.drain();
    const parts = memory.open();
    const { sessions } = await listAgentSessions(parts, {}, 10);
    return { parts, outcomes: await outcomesOf(parts, sessions) };
  };

  it('[viewer-outcome] lists the decisions that were extracted from it, and from no other', async () => {
    memory.prompt('What time is it?', { session_id: 'session-2', prompt_id: 'turn-9' });
    const { outcomes } = await decide();
    expect(
      outcomes
        .get('session-1')
        ?.decisions.map(({ title }) => title)
        .join(),
    ).toContain('Postgres');
    expect(outcomes.get('session-2')?.decisions).toEqual([]);
  });

  it('lists a commit in the first second of the session, though git gives it the time before', async () => {
    const start = Date.parse('2026-11-14T12:00:00.700Z');
    git(memory.work, 'init', '-q', '-b', 'main');
    memory.clock.set(start - 3_600_000);
    commitAll(memory, 'Begin');
    memory.prompt('What is here?', { session_id: 'session-0' });
    await memory.drain();
    memory.clock.set(start);
    editAs(memory, 'session-1', 'turn-1', 'queue.ts', 'export const size = 1;\n');
    const edited = Date.parse(memory.events().at(-1)?.at ?? '');
    const message = `Limit the queue\n\n${'It has a limit now, because memory ran out.\n\n'.repeat(200)}`;
    gitAt(edited, memory.work, 'commit', '-qam', message);
    memory.clock.set(start + 60_000);
    const { parts, outcomes } = await decide();
    const [commit] = outcomes.get('session-1')?.commits ?? [];
    expect(commit).toMatchObject({ subject: 'Limit the queue', isByTime: true });
    // The page of the commit, opened by the hash as Git abbreviates it, names the session.
    const opened = await openHit(parts, commit?.hash.slice(0, 7) ?? '', quickLimits);
    if (opened.kind !== 'event') throw new Error('not an event');
    expect(await sessionsOfCommit(parts, opened.chunk)).toMatchObject([{ id: 'session-1', isByTime: true }]);
  });

  it('lists the commits that git printed in the session, also if they were rebased or are gone, and gives none to another', async () => {
    git(memory.work, 'init', '-q', '-b', 'main');
    commitAll(memory, 'Begin');
    for (const session of ['session-1', 'session-2']) {
      memory.prompt('Limit the queue to one job.', { session_id: session, prompt_id: session });
      editAs(memory, session, session, 'queue.ts', `export const of = '${session}';\n`);
    }
    commitAll(memory, 'Limit the queue');
    const commit = (subject: string) =>
      runAs(
        memory,
        'session-2',
        'session-2',
        `git commit -qm '${subject}'`,
        true,
        `[main 0123abc] ${subject}`,
      );
    commit('Limit the queue');
    commit('Squashed since');
    memory.clock.set(memory.clock.now() + 60_000);
    const { outcomes } = await decide();
    expect(outcomes.get('session-1')?.commits).toEqual([]);
    expect(outcomes.get('session-2')?.commits.map(({ isByTime }) => isByTime)).toEqual([
      undefined,
      undefined,
    ]);
    expect(outcomes.get('session-2')?.commits).toMatchObject([
      { subject: 'Limit the queue', hash: git(memory.work, 'rev-parse', 'HEAD').slice(0, 12) },
      { subject: 'Squashed since', hash: '0123abc' },
    ]);
  });

  it('lists the checks whose last run failed in the session of that run, and no command that was run once', async () => {
    const run = (session: string, command: string, isOk: boolean) =>
      runAs(memory, session, session, command, isOk);
    const all = ['npm test', 'npm run lint'];
    for (const session of ['session-1', 'session-2']) {
      memory.prompt('Make the tests pass.', { session_id: session, prompt_id: session });
      editAs(memory, session, session, 'queue.ts', `export const of = '${session}';\n`);
      for (const command of all) run(session, command, false);
    }
    run('session-1', 'gh pr diff 7', false);
    run('session-1', 'npm test', true);
    const { outcomes } = await decide();
    expect(outcomes.get('session-1')?.failing).toEqual([]);
    expect(outcomes.get('session-2')?.failing).toMatchObject([{ command: 'npm run lint' }]);
    // What is open is what failed in the last week of work, however long ago that was.
    expect(await failingLately(memory.open())).toMatchObject([{ command: 'npm run lint' }]);
    memory.clock.set(memory.clock.now() + 8 * 86_400_000);
    memory.prompt('What time is it?', { session_id: 'session-3' });
    await memory.drain();
    expect(await failingLately(memory.open())).toEqual([]);
  });

  it('counts only the sessions that pass the filter, and one of two days on both of them', async () => {
    const { parts } = await decide();
    const total = async (filter: AgentSessionFilter) => (await listAgentSessions(parts, filter, 10)).total;
    const day = 86_400_000;
    const tomorrow = memory.clock.now() + day;
    expect(await total({})).toBe(1);
    expect(await total({ agent: 'codex' })).toBe(0);
    expect(await total({ until: tomorrow, agent: 'claude-code' })).toBe(1);
    expect(await total({ since: tomorrow })).toBe(0);
    expect((await listAgentSessions(parts, { until: 1 }, 10)).sessions).toEqual([]);
    const began = memory.clock.now();
    memory.clock.set(began + 2 * day);
    memory.prompt('And the tests?', { prompt_id: 'turn-2' });
    await memory.drain();
    const { sessions } = await listAgentSessions(parts, {}, 10);
    const { periods } = (await outcomesOf(parts, sessions)).get('session-1') ?? {};
    expect(periods).toMatchObject([{ events: 2 }, { events: 1 }]);
    for (const [days, isListed] of [true, false, true].entries()) {
      const at = began + days * day;
      const filter = { since: at - day / 2, until: at + day / 2 };
      expect(await total(filter)).toBe(isListed ? 1 : 0);
      expect((await listAgentSessions(parts, filter, 10)).sessions).toHaveLength(isListed ? 1 : 0);
    }
  });

  it('lists the sources and the history of a note', async () => {
    const { parts, outcomes } = await decide();
    const id = outcomes.get('session-1')?.decisions[0]?.id ?? '';
    const note = await parts.notes.get(id);
    if (note === undefined) throw new Error('the decision has no note');
    const [source] = await sourcesOf(parts, note);
    expect(source).toMatchObject({ kind: 'prompt', agent: 'claude-code', agentSession: 'session-1' });
    expect(source?.text).toContain('Postgres');
    const accepted = await acceptNote(notePartsOf(parts), note);
    expect((await historyOf(parts, accepted)).map(({ action }) => action)).toEqual(['approve', 'create']);
  });
});
