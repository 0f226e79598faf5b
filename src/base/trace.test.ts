import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { systemClock } from './clock.ts';
import { createTracer } from './trace.ts';

it('What a request leaves running makes no spans after it has ended', async () => {
  const ended: string[] = [];
  const tracer = createTracer({ clock: systemClock, share: 1, ended: ({ name }) => ended.push(name) });
  const part = (name: string) =>
    tracer.inSpan({ name, kind: 'client', isPartOnly: true }, async () => undefined);
  let left: Promise<void> | undefined;
  await tracer.inSpan({ name: 'request', kind: 'server' }, async () => {
    await part('during');
    left = setTimeout(5).then(() => part('after'));
  });
  await left;
  expect(ended).toEqual(['during', 'request']);
});
