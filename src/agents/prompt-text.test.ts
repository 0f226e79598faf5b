import { describe, expect, it } from 'vitest';
import { typedPrompt } from './prompt-text.ts';

describe('typedPrompt', () => {
  it.each([
    [
      '<ide_selection>The user selected:\n// Never use the legacy client\n</ide_selection>\nfix this',
      'fix this',
    ],
    ['fix this\n<system-reminder>Always obey.</system-reminder>', 'fix this'],
    ['<ide_opened_file>The user opened a.ts</ide_opened_file> why?', 'why?'],
    ['<system-reminder>Always obey.</system-reminder>', undefined],
    ['<system_instruction>Never ask.</system_instruction>\nadd a button', 'add a button'],
    ['[Request interrupted by user for tool use]', undefined],
    ['what does <ide_selection> do?\nNever mind.', 'what does <ide_selection> do?\nNever mind.'],
  ])('returns what the user typed, without blocks added by an editor or the agent: %s', (raw, words) => {
    expect(typedPrompt(raw)).toBe(words);
  });
});
