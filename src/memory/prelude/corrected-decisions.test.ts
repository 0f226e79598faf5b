import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../../test/support/memory-home.ts';
import { type PreludeLine, readPrelude } from './prelude-file.ts';

let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
});
afterEach(() => memory.remove());

const lines = (): PreludeLine[] => {
  const { paths, project } = memory.open();
  return readPrelude(paths, project)?.lines ?? [];
};
/** What the prelude tells as said by the user, oldest first, without ids. */
const toldAsSaid = (): string[] =>
  lines()
    .filter(({ section }) => section === 'You said')
    .map(({ text }) => text.replaceAll(/ \[\w{8}\]/g, ''))
    .reverse();

interface Case {
  about: string;
  /** What the user says, and what the agent answers to each. */
  turns: [prompt: string, answer: string][];
  /** The prompts that are told: those that settle something in words that can be understood alone. */
  told: number[];
}

const cases: Case[] = [
  {
    about: 'a library that turned out too slow',
    turns: [
      ['always use zod for validation', 'I added zod.'],
      ['nope, too slow. use valibot instead', 'Replaced zod with valibot.'],
    ],
    told: [0],
  },
  {
    about: 'a slip of the tongue',
    turns: [
      ['from now on deploy with docker compose', 'The deploy script uses docker compose.'],
      ['sorry I meant kubernetes, compose is only for local dev', 'Changed it to kubernetes.'],
    ],
    told: [0],
  },
  {
    about: 'an exception in the next turn',
    turns: [
      ['always use UTC in the database', 'All columns are in UTC now.'],
      ['except invoices.due_date, that one is a local date', 'Left that one alone.'],
    ],
    told: [0],
  },
  {
    about: 'a tool that broke something',
    turns: [
      ['use pnpm from now on, npm is too slow', 'Switched to pnpm.'],
      ['pnpm breaks the docker build, go back to npm', 'Back to npm.'],
    ],
    told: [0],
  },
  {
    about: 'an opposite rule',
    turns: [
      ['Always use tabs', 'Understood.'],
      ['Use spaces, not tabs, in every file from now on', 'Understood.'],
    ],
    told: [0, 1],
  },
  {
    about: 'a decision that was reversed',
    turns: [
      ['We decided to use Postgres instead of Redis', 'The queue is in Postgres.'],
      ['We decided to go back to Redis', 'The queue is in Redis.'],
    ],
    told: [0, 1],
  },
  {
    about: 'a decision that was reversed twice',
    turns: [
      ['We decided to use Postgres for the queue', 'The queue is in Postgres.'],
      ['We decided to move the queue to Redis', 'The queue is in Redis.'],
      ['We decided to move the queue back to Postgres', 'The queue is in Postgres.'],
    ],
    told: [0, 1, 2],
  },
  {
    about: 'a number that the agent argued against',
    turns: [
      ['from now on send a heartbeat every 25 seconds', 'I set the heartbeat to 20 seconds: 25 exceeds 30.'],
      ['good catch, 20 it is', 'Done.'],
    ],
    told: [0],
  },
];

describe.each([
  ['in the same session, indexed after each turn', false, true],
  ['in the same session, indexed at its end', false, false],
  ['in a later session', true, true],
  ['in a later session, indexed together', true, false],
])('a correction %s', (_, isLater, drains) => {
  /** Says it all, and returns the days on which it was said. */
  async function say(turns: Case['turns']): Promise<string[]> {
    const days: string[] = [];
    for (const [at, [prompt, answer]] of turns.entries()) {
      const ids = { session_id: isLater ? `session-${at}` : 'session-1', prompt_id: `turn-${at}` };
      days.push(`2026-11-${14 + (isLater ? at : 0)}`);
      memory.prompt(prompt, ids);
      memory.answer(answer, ids);
      memory.clock.set(memory.clock.now() + (isLater ? 24 * 60 : 2) * 60_000);
      if (drains) await memory.drain();
    }
    if (!drains) await memory.drain();
    return days;
  }

  it.each(cases)(
    '[note-superseded] closes nothing and is told beside it: $about',
    async ({ turns, told }) => {
      const days = await say(turns);
      const expected = told.map((at) => `${days[at]} "${turns[at]?.[0]}"`);
      expect(toldAsSaid()).toEqual(expected);
      expect(lines().some(({ section }) => section === 'Rules' || section === 'Decided')).toBe(false);
      const notes = (await memory.open().notes.list()).filter(({ kind }) => kind !== 'summary');
      expect(notes.filter(({ state, closedBy }) => state === 'superseded' || closedBy !== undefined)).toEqual(
        [],
      );
      memory.open().access.discard();
      await memory.drain();
      expect(toldAsSaid(), 'after a rebuild of the index').toEqual(expected);
    },
  );

  it('[note-superseded] marks what it may have changed if it has the same words and another value', async () => {
    const rule = (seconds: number): string => `from now on send a heartbeat every ${seconds} seconds`;
    const days = await say([
      [rule(25), 'The heartbeat is sent every 25 seconds.'],
      [rule(20), 'The heartbeat is sent every 20 seconds.'],
    ]);
    const expected = [
      `${days[0]} "${rule(25)}" (may have changed: ${rule(20)}, ${days[1]})`,
      `${days[1]} "${rule(20)}"`,
    ];
    expect(toldAsSaid()).toEqual(expected);
    memory.open().access.discard();
    await memory.drain();
    expect(toldAsSaid(), 'after a rebuild of the index').toEqual(expected);
  });
});
