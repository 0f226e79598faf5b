import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clearReminder, reminderFor } from './reminder.ts';

describe('the reminder to save what was settled', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'backstory-reminder-'));
    path = join(folder, 'reminders.json');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const say = (prompt: string, session = 's1'): boolean => reminderFor(path, session, prompt) !== '';

  it('comes with the next prompt, if nothing was saved in between', () => {
    expect(say('from now on use tabs')).toBe(false);
    expect(say('fix the login')).toBe(true);
    expect(say('run the tests')).toBe(false);
  });

  it('does not come if the agent saved it, or if nothing was settled', () => {
    say('from now on use tabs');
    clearReminder(path, 's1');
    expect(say('fix the login')).toBe(false);
    expect(say('why does it fail?')).toBe(false);
    expect(say('run the tests')).toBe(false);
  });

  it('comes at most once in five turns, and is not forgotten meanwhile', () => {
    const turns = ['always use tabs', 'always use pnpm', 'a', 'b', 'c', 'd', 'e', 'f'];
    expect(turns.map((prompt) => say(prompt))).toEqual([
      false,
      true,
      false,
      false,
      false,
      false,
      true,
      false,
    ]);
  });

  it('is kept apart for each session, and for the newest sessions only', () => {
    say('always use tabs', 'first');
    expect(say('hello', 'other')).toBe(false);
    for (let at = 0; at < 20; at++) say('always use tabs', `session ${at}`);
    expect(say('hello', 'first')).toBe(false);
    expect(say('hello', 'session 19')).toBe(true);
  });

  it('is skipped if its state cannot be written', () => {
    path = join(folder, 'missing', 'reminders.json');
    expect(say('always use tabs')).toBe(false);
    expect(say('hello')).toBe(false);
  });
});
