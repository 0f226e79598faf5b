import { isoTime } from '../base/clock.ts';
import { readLostWrites } from '../memory/capture/lost-writes.ts';
import { gapOf, gapText } from '../memory/capture/record-gap.ts';
import { type Failure, readFailures } from '../memory/projects/failures.ts';
import { checkEvents } from '../memory/verify.ts';
import type { App, Outcome, ParsedArgs } from './command.ts';
import { stringOf } from './command.ts';

export async function showLogs(app: App, args: ParsedArgs): Promise<Outcome> {
  const limit = Number(stringOf(args, 'limit') ?? 20) || 20;
  const failures = [...readFailures(app.paths.failures).slice(-limit), ...gapHere(app), ...damageHere(app)];
  const text =
    failures.length === 0
      ? 'No failures recorded.'
      : failures.map(({ at, where, code, message }) => `${at}  ${where}  ${code} ${message}`).join('\n');
  return { value: failures, text };
}

/** Damage is listed until it is recovered or accepted, even beyond the limit for failures. */
function damageHere(app: App): Failure[] {
  const { log } = checkEvents(app.open());
  const now = isoTime(app.clock.now());
  return log.damage.map(({ file, detail, line, ...rest }) => ({
    at: 'at' in rest && typeof rest.at === 'string' ? rest.at : now,
    where: `events/${file}${line === undefined ? '' : `:${line}`}`,
    code: 'DAMAGED',
    message: detail,
  }));
}

function gapHere(app: App): Failure[] {
  const gap = gapOf(readLostWrites(app.paths.lostWrites, app.place().project));
  return gap === undefined ? [] : [{ at: gap.to, where: 'hook', code: gap.code, message: gapText(gap) }];
}
