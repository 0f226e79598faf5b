import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dispatchDay } from '../shipping/dispatch-day.js';

test('an order at four in the afternoon leaves on the next day', () => {
  assert.equal(dispatchDay(new Date('2026-05-04T16:00:00Z')), '2026-05-05');
});
