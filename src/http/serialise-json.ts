import { readable } from '../text/fence.ts';
import { hasHidden, showHidden } from '../text/hidden-characters.ts';
import { mapStrings } from '../text/map-strings.ts';
import { encodingOf } from '../wire/answers/encoding.ts';
import { encodeAnswer } from '../wire/encode-answer.ts';
import type { RouteShape } from './route.ts';

/**
 * Returns a function that serialises the answers of a route. This is the only place where times and enum values are
 * converted, and where hidden characters are removed from or escaped in text for the viewer or a program.
 */
export function createSerialiser({
  answers,
  text = 'memory',
}: Pick<RouteShape, 'answers' | 'text'>): (answer: unknown) => string {
  const encoding = encodingOf(answers);
  return (answer) => {
    const value = encodeAnswer(answer, encoding);
    const json = JSON.stringify(value);
    if (text === 'exact' || !(hasHidden(json) || escapedControl.test(json))) return json;
    return JSON.stringify(mapStrings(value, text === 'code' ? showHidden : readable));
  };
}

/** Matches the escapes that JSON uses for control characters. Most answers contain none and need no cleaning. */
const escapedControl = /\\[bfru]/;
