import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import { promptEvent } from '../../test/support/sample-event.ts';
import type { Trust } from '../domain/event.ts';
import { closeStatement } from '../memory/notes/closing.ts';
import { notePartsOf } from '../memory/notes/note-parts.ts';
import { rememberNote } from '../memory/notes/remember.ts';
import type { App } from './command.ts';
import { followPhrase } from './doctor-memory.ts';

let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
});
afterEach(() => memory.remove());

const same = (text: string): string => text;
const follow = async (phrase: string): Promise<string> => {
  const app = {
    paths: memory.paths,
    style: { bold: same },
    place: () => ({ project: memory.open().project, root: memory.work, name: 'work' }),
    open: memory.open,
    activation: () => ({ on: true }),
  } as unknown as App;
  return (await followPhrase(app, phrase)).text;
};
const remember = (text: string, trust: Trust = 3) =>
  rememberNote(notePartsOf(memory.open()), {
    text,
    kind: 'decision',
    concepts: [],
    files: [],
    trust,
    author: 'tester',
  });

it('says that a phrase is in no prompt, and how to save it', async () => {
  memory.prompt('hello');
  await memory.drain();
  const told = await follow('deploys go through "make ship"');
  expect(told).toContain('Captured  no: in no prompt of this project');
  expect(told).toContain(`To mend it: backstory remember "deploys go through 'make ship'"`);
});

it('names the prompt of a phrase that no note was made from, and a part that was taken for a secret', async () => {
  const secret = 'AKIA4HZQ2LMRVXW7TPNB';
  memory.prompt(`can you look at the staging bucket with ${secret} for a moment?`);
  expect(await follow('the staging bucket')).toMatch(
    /not indexed[\s\S]*To mend it: backstory doctor --reindex/,
  );
  await memory.drain();
  const told = await follow(`the staging bucket with ${secret}`);
  expect(told).toMatch(/^Redacted +a part was taken for a secret/);
  expect(told).toMatch(/Captured {2}2026-11-14 \d\d:\d\d \S+ \[\w{8}\]: "can you look at the staging bucket/);
  expect(told).toContain('Note      none was proposed');
  expect(told).toContain('To mend it: backstory remember "can you look at the staging bucket with');
  expect(told).toContain('for a moment?"');
});

it('says whether a note is told, waits, or was closed by what', async () => {
  memory.prompt('hello');
  const uses = await remember('The service stores dates as UTC');
  await memory.drain();
  expect(await follow('stores dates as UTC')).toMatch(/Told {6}to every new session, under "Decided"$/);
  const later = await remember('The service keeps the time zone of each date');
  await closeStatement(notePartsOf(memory.open()), uses, { by: later.id, at: '2026-11-15T00:00:00.000Z' });
  await memory.drain();
  const closed = await follow('stores dates as UTC');
  expect(closed).toMatch(/Told {6}no: closed 2026-11-15 by "The service keeps the time zone of each date"/);
  expect(closed).toMatch(/To mend it: backstory edit \w{8} --reopen/);
  await remember('Agents may skip the changelog', 1);
  expect(await follow('skip the changelog')).toMatch(/To mend it: backstory review --accept \w{8}$/);
});

it('says the rank of a note for which the prelude has no room', async () => {
  memory.prompt('hello');
  const long =
    'because the proxy in front of it drops the connection whenever a request takes longer than that';
  for (let at = 0; at < 60; at++)
    await remember(`Service number ${at} has a timeout of ${at} seconds, ${long}`);
  await memory.drain();
  const told = await follow('service number 0 has a timeout');
  expect(told).toMatch(/Told {6}no room: \d+ of 60 by importance/);
  expect(told).toMatch(/To mend it: backstory edit \w{8} --pin$/);
});

it('[prompt-typed] says of a prompt that nobody saw how to confirm it, and of an agent’s that no person typed it', async () => {
  const { log, project } = memory.open();
  log.append([
    promptEvent('The cache stays in memory.', { project, trust: 1, origin: 'unconfirmed' }),
    promptEvent('The queue goes to disk.', { project, trust: 1, origin: 'assistant' }),
  ]);
  await memory.drain();
  const told = await follow('cache stays in memory');
  expect(told).toContain('not confirmed as yours: "The cache stays in memory."');
  expect(told).toMatch(/To mend it: backstory import$/);
  expect(await follow('queue goes to disk')).toContain('not typed by a person: "The queue');
});
