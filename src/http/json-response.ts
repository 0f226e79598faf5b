import { readable } from '../text/fence.ts';
import { hasHidden, showHidden } from '../text/hidden-characters.ts';
import { mapStrings } from '../text/map-strings.ts';
import type { RouteShape } from './route.ts';

/** The body of an answer. The one place where text on its way to the viewer or a program is cleaned. */
export function shownJson(value: unknown, text: RouteShape['text'] = 'memory'): string {
  const json = JSON.stringify(value);
  if (text === 'exact' || !(hasHidden(json) || escapedControl.test(json))) return json;
  return JSON.stringify(mapStrings(value, text === 'code' ? showHidden : readable));
}

/** As JSON writes the controls below a space. Without any of them most answers are done. */
const escapedControl = /\\[bfru]/;
