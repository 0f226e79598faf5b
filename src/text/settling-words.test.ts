import { describe, expect, it } from 'vitest';
import { hasSettling } from './settling-words.ts';

describe('a prompt that may settle something lasting', () => {
  it.each([
    'always run the linter first',
    'fine. we decided to use zod',
    'From here on every commit names its folder.',
    'please never push to main',
    'ab jetzt nur noch pnpm',
    'впредь не используем redis',
  ])('is recognised: %s', (prompt) => expect(hasSettling(prompt)).toBe(true));

  it.each([
    'fix the login',
    'run the tests',
    'should we always use zod?',
    'ok',
    'y',
    'git status',
    'notes on nevermore',
    'it never worked',
    'use valibot instead',
  ])('is not seen in: %s', (prompt) => expect(hasSettling(prompt)).toBe(false));
});
