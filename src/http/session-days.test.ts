import { afterAll, expect, it } from 'vitest';
import { editAs, runAs } from '../../test/support/agent-edits.ts';
import { createHttpHome } from '../../test/support/http-home.ts';
import { sampleEvent } from '../../test/support/sample-event.ts';
import { isoTime } from '../base/clock.ts';

const home = await createHttpHome();
afterAll(() => home.close());

it('counts on each day only what a session of several days did on it, and lists files outside the checkout last', async () => {
  const turn = (id: string, at: string, file: string) => {
    home.clock.set(Date.parse(at));
    home.prompt(`Mend ${file}.`, { session_id: 'long', prompt_id: id });
    editAs(home, 'long', id, file, 'export const size = 1;\n');
    runAs(home, 'long', id, 'npm test', false);
  };
  turn('1', '2026-11-03T10:00:00Z', 'queue.ts');
  turn('2', '2026-11-05T10:00:00Z', '../Scratch/cmp.js');
  turn('3', '2026-11-05T11:00:00Z', 'topic.ts');
  const { log, project } = home.open();
  const at = { at: isoTime(home.clock.now()), agentSession: 'long', project };
  const piece = { turn: '3', startLine: 1, hash: '', tokens: 0 };
  for (const [path, lines] of [
    ['a.ts', 0],
    ['b.ts', 12],
  ] as const)
    log.append([
      sampleEvent({ ...at, kind: 'read', origin: 'tool', trust: 1, body: { ...piece, path, lines } }),
    ]);
  await home.drain();
  const read = async (path: string) => JSON.parse((await home.ask(`/api/v1/agent-sessions${path}`)).text);
  const [second] = (await read('?since=2026-11-05T00:00:00Z&until=2026-11-05T23:59:00Z')).items;
  expect(second).toMatchObject({ prompts: 3, failedCommands: 3 });
  expect(second.work).toMatchObject({ prompts: 2, failedCommands: 2 });
  expect(second.work.files[0]).toBe('topic.ts');
  expect(second.work.files[1]).toMatch(/Scratch\/cmp\.js$/);
  expect(second.work.files).toHaveLength(2);
  const [first] = (await read('?until=2026-11-04')).items;
  expect(first.work).toEqual({ prompts: 1, failedCommands: 1, files: ['queue.ts'] });
  const [all] = (await read('')).items;
  expect(all).not.toHaveProperty('work');
  expect(all.files.map((path: string) => path.replace(/.*\//, ''))).toEqual([
    'queue.ts',
    'topic.ts',
    'cmp.js',
  ]);
  // A command may print a part of a file of which nobody knows how large it is.
  const { turns } = await read('/long');
  const reads = turns.flatMap(({ events }: { events: { kind: string }[] }) =>
    events.filter(({ kind }) => kind === 'read'),
  );
  expect(reads.map(({ path, lines }: { path: string; lines?: number }) => [path, lines])).toEqual([
    ['a.ts', undefined],
    ['b.ts', 12],
  ]);
});
