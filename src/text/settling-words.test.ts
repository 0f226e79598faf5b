import { describe, expect, it } from 'vitest';
import { maySettle } from './settling-words.ts';

describe('a prompt that may settle something lasting', () => {
  it.each([
    'always run the linter first',
    "let's go with zod",
    'nope, too slow. use valibot instead',
    'make it 25',
    'no transaction. pgbouncer kills long ones',
    'we use pnpm here',
    'please never push to main',
    'ab jetzt nur noch pnpm',
    'больше не используем redis',
  ])('is recognised: %s', (prompt) => expect(maySettle(prompt)).toBe(true));

  it.each([
    'fix the login',
    'run the tests',
    'should we always use zod?',
    'ok',
    'y',
    'git status',
    'notes on nevermore',
  ])('is not seen in: %s', (prompt) => expect(maySettle(prompt)).toBe(false));
});
