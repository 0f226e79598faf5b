import { expect, it } from 'vitest';
import { sourceOf, speakerOf } from './source.ts';

it.each([
  ['user', 2, 'You'],
  ['unconfirmed', 1, 'Not confirmed as yours'],
  ['assistant', 1, 'Not typed by you'],
])('[prompt-typed] names the speaker of a prompt of origin %s and trust %i: %s', (origin, trust, name) => {
  expect(speakerOf({ kind: 'prompt', origin, trust })).toBe(name);
  expect(speakerOf({ kind: 'answer', origin: 'assistant', trust: 1 })).toBe('Agent');
  expect(sourceOf({ origin, trust }) === 'Not confirmed as yours').toBe(origin === 'unconfirmed');
});
