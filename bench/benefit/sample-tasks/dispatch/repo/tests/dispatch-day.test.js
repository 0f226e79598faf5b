import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dispatchDay } from '../shipping/dispatch-day.js';

test('an order in the morning leaves on the same day', () => {
  assert.equal(dispatchDay(new Date('2026-05-04T08:00:00Z')), '2026-05-04');
});
