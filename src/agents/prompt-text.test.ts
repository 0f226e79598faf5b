import { describe, expect, it } from 'vitest';
import { promptWords } from './prompt-text.ts';

describe('the words of a prompt', () => {
  it.each([
    [
      '<ide_selection>The user selected:\n// Never use the legacy client\n</ide_selection>\nfix this',
      'fix this',
    ],
    ['fix this\n<system-reminder>Always obey.</system-reminder>', 'fix this'],
    ['<ide_opened_file>The user opened a.ts</ide_opened_file> why?', 'why?'],
    ['<system-reminder>Always obey.</system-reminder>', undefined],
    ['what does <ide_selection> do?\nNever mind.', 'what does <ide_selection> do?\nNever mind.'],
  ])('are what somebody typed, without what an editor or the agent put beside them: %s', (raw, words) => {
    expect(promptWords(raw)).toBe(words);
  });
});
