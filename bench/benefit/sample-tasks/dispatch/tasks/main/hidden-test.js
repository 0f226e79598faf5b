import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dispatchDay } from '../shipping/dispatch-day.js';

test('an order just before the cut-off leaves on the same day', () => {
  assert.equal(dispatchDay(new Date('2026-05-04T14:39:00Z')), '2026-05-04');
});

test('an order at the cut-off leaves on the next day', () => {
  assert.equal(dispatchDay(new Date('2026-05-04T14:40:00Z')), '2026-05-05');
});
