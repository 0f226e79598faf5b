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
    ['<system-notification>\na </system-notification>\nb\n</system-notification>', undefined],
    ['<ci-monitor-event>CI check "test" failed</ci-monitor-event>', undefined],
    ['<bash-stdout>a\nb</bash-stdout><bash-stderr></bash-stderr>', undefined],
    ['<task-notification id="1">\n<status>done</status>\n</task-notification>', undefined],
    [
      '<task-notification>done</task-notification>\nGo on.',
      '<task-notification>done</task-notification>\nGo on.',
    ],
    ['<environment_context> is what I see first.', '<environment_context> is what I see first.'],
    ['<div>Why is this empty?</div>', '<div>Why is this empty?</div>'],
    ['## Plan\nMove the cache.', '## Plan\nMove the cache.'],
    ['<command-message>check</command-message>\n<command-name>/check</command-name>', '/check'],
    ['what does <ide_selection> do?\nNever mind.', 'what does <ide_selection> do?\nNever mind.'],
  ])('returns what the user typed, without blocks added by an editor or the agent: %s', (raw, words) => {
    expect(typedPrompt(raw)).toBe(words);
  });
});
