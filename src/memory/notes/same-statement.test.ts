import { expect, it } from 'vitest';
import { statesSame } from './same-statement.ts';

const areSame = (one: string, other: string): boolean => statesSame({ text: one }, { text: other });

it.each([
  ['no default exports', 'Never use default exports.'],
  ['no default exports please', 'No default exports'],
  ['ask before you install', 'always ask before installing'],
  ['use pnpm, not npm', 'Use pnpm, never npm'],
  ['answer in German\nWhile working on: the login page', 'Please answer in German.'],
])('"%s" and "%s" state the same', (one, other) => {
  expect(areSame(one, other)).toBe(true);
  expect(areSame(other, one)).toBe(true);
});

it.each([
  ['use default exports', 'no default exports'],
  ['indent with 2 spaces in all typescript files', 'indent with 4 spaces in all typescript files'],
  [
    'always use tabs for indentation in my source files',
    'always use spaces for indentation in my source files',
  ],
  ['use pnpm, not npm', 'use npm, not pnpm'],
  ['no default exports', 'no default exports in the pages folder'],
  ['keep it', 'keep it'],
])('"%s" and "%s" do not', (one, other) => {
  expect(areSame(one, other)).toBe(false);
  expect(areSame(other, one)).toBe(false);
});
