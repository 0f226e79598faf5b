import { plural } from '../text/plural.ts';
import type { SymbolAnswer } from './definition.ts';

/** How much was looked at and how, in words; the same for people and for models. */
export function coverageText({ coverage, isComplete, timedOut }: SymbolAnswer): string {
  const { filesWithName, parsed, byLines, notRead } = coverage;
  const parts = [
    `${plural(filesWithName, 'file')} with the name`,
    `${parsed} parsed`,
    ...(byLines === 0 ? [] : [`${byLines} without a parser: text match`]),
    ...(notRead === 0 ? [] : [`${notRead} not read${timedOut ? ', time was up' : ''}`]),
  ];
  return `${parts.join(', ')}${isComplete ? '' : '; there may be more'}`;
}
