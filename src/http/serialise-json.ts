import { readable } from '../text/fence.ts';
import { hasHidden, showHidden } from '../text/hidden-characters.ts';
import { mapStrings } from '../text/map-strings.ts';
import type { RouteShape } from './route.ts';

/**
 * Serialises an answer of a route. This is the only place where hidden characters are removed from or escaped in text
 * for the viewer or a program.
 */
export function serialise({ text = 'memory' }: Pick<RouteShape, 'text'>, answer: unknown): string {
  const json = JSON.stringify(answer);
  if (text === 'exact' || !(hasHidden(json) || escapedControl.test(json))) return json;
  return JSON.stringify(mapStrings(answer, text === 'code' ? showHidden : readable));
}

/** Matches the escapes that JSON uses for control characters. Most answers contain none and need no cleaning. */
const escapedControl = /\\[bfru]/;
