import { sentencesOf } from './decisions.ts';

/** Recognises sentences that say what was not done, or did not work, by their wording alone. */
const turnedDown =
  /\b(?:instead of|rather than|reject(?:ed|ing)|decided against|ruled out|passed over|considered .{3,80}\bbut|tried .{3,80}\bbut|(?:did not|didn't|does not|doesn't|would not|wouldn't) (?:work|help|scale|fit)|that did not work|not an option|too (?:slow|complex|fragile|risky|expensive)|revert(?:ed|ing)|rolled back|backed out|gave up on|abandoned)\b/i;

const minLength = 15;
const maxLength = 400;

export const rejectionsIn = (text: string): string[] =>
  sentencesOf(text).filter(
    (sentence) =>
      sentence.length >= minLength &&
      sentence.length <= maxLength &&
      !/\?\s*$/.test(sentence) &&
      turnedDown.test(sentence),
  );
