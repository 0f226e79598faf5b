import type { HookCall } from '../agents/agent.ts';
import type { Clock } from '../base/clock.ts';
import type { HomePaths } from '../base/paths.ts';
import type { Place } from '../domain/project.ts';
import { newsSince } from '../memory/prelude/news-since-prelude.ts';
import {
  type Prelude,
  preludeMaxChars,
  preludeMaxEstimate,
  preludeText,
  readPrelude,
  withoutOneLine,
} from '../memory/prelude/prelude-file.ts';
import type { EventLog } from '../store/events/event-log.ts';
import { estimateTokens } from '../text/tokens.ts';

/**
 * Returns the prelude for an agent session that starts. A new, cleared or compacted session gets all of it. A resumed
 * or forked session still has its earlier context, so it gets only news from other sessions.
 */
export function sessionStart(
  call: HookCall,
  place: Place,
  log: EventLog,
  parts: { paths: HomePaths; clock: Clock },
): string {
  const prelude = readPrelude(parts.paths, place.project, place);
  const keepsContext = call.cause === 'resume' || call.cause === 'fork';
  const { idleSeconds } = call;
  const after = idleSeconds === undefined ? {} : { after: parts.clock.now() - idleSeconds * 1000 };
  const otherSessions = { thanSession: call.agentSession, ...after };
  return keepsContext
    ? preludeText([], newsSince(log, {}, otherSessions), place.name)
    : fittingText(prelude, newsSince(log, prelude?.position ?? {}), place.name);
}

/**
 * Drops lines if there is news, or if the user wrote notes for every project after the prelude of this project was
 * rendered.
 */
function fittingText(prelude: Prelude | undefined, since: string[], project: string): string {
  let lines = prelude?.lines ?? [];
  const render = () => preludeText(lines, since, project, prelude?.digest);
  let text = render();
  // Without news the prelude fits, because it was rendered so. The estimate is made once, because it takes long.
  let tokens = 0;
  if (since.length > 0) tokens = estimateTokens(text);
  // Ends, because the news alone always fit.
  while (text.length > preludeMaxChars || tokens > preludeMaxEstimate) {
    const fewer = withoutOneLine(lines);
    for (const { text: dropped } of lines.filter((line) => !fewer.includes(line)))
      tokens -= estimateTokens(dropped);
    lines = fewer;
    text = render();
  }
  return text;
}
