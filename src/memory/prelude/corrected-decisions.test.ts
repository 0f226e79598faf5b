import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../../test/support/memory-home.ts';
import { readPrelude } from './prelude-file.ts';

let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
});
afterEach(() => memory.remove());

const prelude = (): string => {
  const { paths, project } = memory.open();
  return (readPrelude(paths, project)?.lines ?? []).map(({ text }) => text).join('\n');
};

interface Case {
  about: string;
  /** The decision, its corrections, and what the agent answers to each. */
  turns: [prompt: string, answer: string][];
  /** Words of statements that no longer hold. */
  overturned: RegExp;
  /** The correction names too little of what it corrects to be understood elsewhere than in the next turn. */
  isOnlyNext?: true;
  /** Words of what holds, if that was said clearly enough to be told. */
  told?: string;
}

const cases: Case[] = [
  {
    about: 'a library that turned out too slow',
    turns: [
      ["let's go with zod for validation", 'I added zod.'],
      ['nope, too slow. use valibot instead', 'Replaced zod with valibot.'],
    ],
    overturned: /zod/,
  },
  {
    about: 'a slip of the tongue',
    turns: [
      ['from now on deploy with docker compose', 'The deploy script uses docker compose.'],
      ['sorry I meant kubernetes, compose is only for local dev', 'Changed it to kubernetes.'],
    ],
    overturned: /deploy with docker/,
    isOnlyNext: true,
  },
  {
    about: 'an exception in the next turn',
    turns: [
      ['always use UTC in the database', 'All columns are in UTC now.'],
      ['except invoices.due_date, that one is a local date', 'Left that one alone.'],
    ],
    overturned: /UTC/,
    isOnlyNext: true,
  },
  {
    about: 'a tool that broke something',
    turns: [
      ['use pnpm from now on, npm is too slow', 'Switched to pnpm.'],
      ['pnpm breaks the docker build, go back to npm', 'Back to npm.'],
    ],
    overturned: /use pnpm/,
  },
  {
    about: 'an opposite rule',
    turns: [
      ['Always use tabs', 'Understood.'],
      ['Use spaces, not tabs, in every file from now on', 'Understood.'],
    ],
    overturned: /Always use tabs/,
    told: 'Use spaces',
  },
  {
    about: 'a decision that was reversed',
    turns: [
      ['We decided to use Postgres instead of Redis', 'The queue is in Postgres.'],
      ['We decided to go back to Redis', 'The queue is in Redis.'],
    ],
    overturned: /use Postgres/,
    told: 'go back to Redis',
  },
  {
    about: 'a decision that was reversed twice',
    turns: [
      ['We decided to use Postgres for the queue', 'The queue is in Postgres.'],
      ['We decided to move the queue to Redis', 'The queue is in Redis.'],
      ['We decided to move the queue back to Postgres', 'The queue is in Postgres.'],
    ],
    overturned: /to Redis|use Postgres/,
    told: 'back to Postgres',
  },
  {
    about: 'a number that the agent argued against',
    turns: [
      ['from now on send a heartbeat every 25 seconds', 'I set the heartbeat to 20 seconds: 25 exceeds 30.'],
      ['good catch, 20 it is', 'Done.'],
    ],
    overturned: /25 seconds/,
    isOnlyNext: true,
  },
];

describe.each([
  ['in the same session, indexed after each turn', false, true],
  ['in the same session, indexed at its end', false, false],
  ['in a later session', true, true],
  ['in a later session, indexed together', true, false],
])('a correction %s', (_, isLater, drains) => {
  const own = cases.filter(({ isOnlyNext }) => !isLater || isOnlyNext !== true);
  it.each(own)('keeps the prelude from telling $about', async ({ turns, overturned, told }) => {
    for (const [at, [prompt, answer]] of turns.entries()) {
      const ids = { session_id: isLater ? `session-${at}` : 'session-1', prompt_id: `turn-${at}` };
      memory.prompt(prompt, ids);
      memory.answer(answer, ids);
      memory.clock.set(memory.clock.now() + (isLater ? 24 * 60 : 2) * 60_000);
      if (drains) await memory.drain();
    }
    if (!drains) await memory.drain();
    expect(prelude()).toContain('remembered');
    expect(prelude()).not.toMatch(overturned);
    if (told !== undefined) expect(prelude()).toContain(told);
    memory.open().access.discard();
    await memory.drain();
    expect(prelude(), 'after a rebuild of the index').not.toMatch(overturned);
  });
});
