import { plural } from '../text/plural.ts';
import type { SymbolAnswer } from './definition.ts';

/** Describes how many files were parsed or only searched; used for people and models. */
export function coverageText({ coverage, isComplete, timedOut }: SymbolAnswer): string {
  const { filesWithName, parsed, byLines, notRead } = coverage;
  const parts = [
    `${plural(filesWithName, 'file')} with the name`,
    `${parsed} parsed`,
    ...(byLines === 0 ? [] : [`${byLines} without a parser: text match`]),
    ...(notRead === 0 ? [] : [`${notRead} not read${timedOut ? ', timed out' : ''}`]),
  ];
  return `${parts.join(', ')}${isComplete ? '' : '; there may be more'}`;
}
