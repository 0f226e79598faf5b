import { harmlessLine } from '../text/fence.ts';

const maxGoalLength = 240;

/** The goal of a prompt: its first line with a word. */
export function goalOf(prompt: string): string {
  const line = prompt.split('\n').find((candidate) => /\p{L}/u.test(candidate)) ?? '';
  return harmlessLine(line.replace(/^[#>*\s-]+/, ''), maxGoalLength);
}

/** Prompts such as "go on" or "hi" do not say what the work is. */
export const isWeakGoal = (goal: string): boolean =>
  wordsOf(goal).length < 3 && !/[^\u0000-\u02ff]/.test(goal);

export const isSameGoal = (a: string, b: string): boolean =>
  !isWeakGoal(a) && wordsOf(a).join(' ') === wordsOf(b).join(' ');

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
