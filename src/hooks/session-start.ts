import type { HookCall } from '../agents/agent.ts';
import type { Clock } from '../base/clock.ts';
import type { HomePaths } from '../base/paths.ts';
import type { Place } from '../domain/project.ts';
import { newsSince } from '../memory/prelude/news-since-prelude.ts';
import {
  type PreludeLine,
  preludeMaxChars,
  preludeText,
  readPrelude,
} from '../memory/prelude/prelude-file.ts';
import type { EventLog } from '../store/events/event-log.ts';

/**
 * Returns the prelude (the context from memory) for an agent session that starts. A new, cleared or compacted session
 * gets all of it. A resumed or forked session still has its earlier context, so it gets only news from other sessions.
 */
export function sessionStart(
  call: HookCall,
  place: Place,
  log: EventLog,
  parts: { paths: HomePaths; clock: Clock },
): string {
  const prelude = readPrelude(parts.paths, place.project);
  const keepsContext = call.cause === 'resume' || call.cause === 'fork';
  const { idleSeconds } = call;
  const after = idleSeconds === undefined ? {} : { after: parts.clock.now() - idleSeconds * 1000 };
  const otherSessions = { thanSession: call.agentSession, ...after };
  const text = keepsContext
    ? preludeText([], newsSince(log, {}, otherSessions), place.name)
    : fittingText(prelude?.lines ?? [], newsSince(log, prelude?.position ?? {}), place.name);
  if (text === '' || text.length > preludeMaxChars) return '';
  return call.reply(text);
}

/** Drops the last lines if the user wrote notes for every project after the prelude of this project was rendered. */
function fittingText(lines: PreludeLine[], since: string[], project: string): string {
  const text = preludeText(lines, since, project);
  if (text.length <= preludeMaxChars || lines.length === 0) return text;
  return fittingText(lines.slice(0, -1), since, project);
}
