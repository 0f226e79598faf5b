import { expect, it } from 'vitest';
import { watchIdle } from './idle-shutdown.ts';

const minute = 60_000;
const hour = 60 * minute;

function watched() {
  let now = 0;
  const clock = { now: () => now };
  const idle = watchIdle(clock, 30 * minute);
  return {
    idle,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

it('is idle half an hour after the last request was answered, however long that took', () => {
  const { idle, pass } = watched();
  pass(29 * minute);
  expect(idle.isIdle()).toBe(false);
  const done = idle.begin('request');
  pass(2 * hour);
  expect(idle.isIdle()).toBe(false);
  done();
  done();
  pass(29 * minute);
  expect(idle.isIdle()).toBe(false);
  pass(minute);
  expect(idle.isIdle()).toBe(true);
});

it('keeps running for a live connection, but not for a forgotten tab', () => {
  const { idle, pass } = watched();
  idle.begin('live');
  pass(7 * hour);
  expect(idle.isIdle()).toBe(false);
  idle.begin('request')();
  pass(7 * hour);
  expect(idle.isIdle()).toBe(false);
  pass(2 * hour);
  expect(idle.isIdle()).toBe(true);
});

it('completes automatic requests of a page, but is not kept running by them', () => {
  const { idle, pass } = watched();
  idle.begin('live');
  for (let asked = 0; asked < 9; asked++) {
    pass(hour);
    const done = idle.begin('refetch');
    expect(idle.isIdle()).toBe(false);
    done();
  }
  expect(idle.isIdle()).toBe(true);
});
