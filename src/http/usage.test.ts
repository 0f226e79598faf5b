import { afterAll, expect, it } from 'vitest';
import { createHttpHome } from '../../test/support/http-home.ts';
import { sampleEvent } from '../../test/support/sample-event.ts';
import { isoTime } from '../base/clock.ts';

const home = await createHttpHome();
afterAll(() => home.close());
const day = 24 * 60 * 60_000;
const noon = Date.parse('2026-07-20T12:00:00Z');

const ask = async (query = '') => JSON.parse((await home.ask(`/api/v1/usage${query}`)).text);

it('[usage] sums the tokens of agents by day, model and session, cache reads apart, also after a pause', async () => {
  const { log, project } = home.open();
  const use = (agentSession: string, turn: string, at: number, model: string, output: number) => {
    const used = { input: 10, output, cacheRead: 1_000, cacheWrite: 100 };
    const common = { agentSession, at: isoTime(at), project };
    log.append([
      sampleEvent({ ...common, kind: 'prompt', body: { text: `Mend ${agentSession}.`, turn } }),
      sampleEvent({ ...common, kind: 'usage', origin: 'system', trust: 1, body: { turn, model, used } }),
    ]);
  };
  expect(await ask()).toMatchObject({ bySession: [], byDay: [], total: { output: 0 } });
  use('old', '1', noon - 40 * day, 'opus', 7);
  use('first', '1', noon - day, 'opus', 1);
  // A turn that was read before its end is reported again with more tokens; only the last report counts.
  use('first', '1', noon - day, 'opus', 2);
  use('first', '2', noon, 'haiku', 4);
  // Another session has a turn with the same id.
  use('second', '1', noon, 'opus', 8);
  // The clock of the server is months later.
  await home.drain();
  const tokens = (output: number, turns: number) => ({
    ...{ input: 10 * turns, output, cacheRead: 1_000 * turns, cacheWrite: 100 * turns },
  });
  expect(await ask()).toMatchObject({
    days: 30,
    until: noon,
    total: tokens(14, 3),
    byDay: [
      { day: '2026-07-19', ...tokens(2, 1) },
      { day: '2026-07-20', ...tokens(12, 2) },
    ],
    byModel: [
      { model: 'opus', ...tokens(10, 2) },
      { model: 'haiku', ...tokens(4, 1) },
    ],
  });
  const { bySession } = await ask();
  expect(bySession.map(({ agentSession, title }: Record<string, string>) => [agentSession, title])).toEqual([
    ['first', 'Mend first.'],
    ['second', 'Mend second.'],
  ]);
  expect(bySession[0]).toMatchObject({ lastAt: noon, ...tokens(6, 2) });
  expect((await ask('?days=60')).total).toEqual(tokens(21, 4));
});
