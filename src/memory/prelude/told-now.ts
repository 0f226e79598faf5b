import { estimateTokens } from '../../text/tokens.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { newsSince } from './news-since-prelude.ts';
import { preludeText, readPrelude, type SessionPlace } from './prelude-file.ts';

/** What the next session is told, by default without regard to its place. The terminal and every route say it from here. */
export function toldNow({ paths, project, log }: OpenProject, name: string, here?: SessionPlace) {
  const {
    lines = [],
    muted = [],
    position = {},
    digest,
    comparedWith,
  } = readPrelude(paths, project, here) ?? {};
  const since = newsSince(log, position);
  const text = preludeText(lines, since, name, digest);
  const told = { text, tokens: estimateTokens(text), characters: text.length, lines, since };
  return { told, muted, comparedWith };
}
