import { appendFileSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { isoTime } from '../../base/clock.ts';
import { messageOf, systemCodeOf } from '../../base/errors.ts';
import { ensureDirectory, readIfThere } from '../../base/files.ts';
import { parseObject, text } from '../../base/json.ts';
import type { Health } from '../../wire/answers/project.ts';
import { redact } from '../redact/redact.ts';

/** An error of a hook or of background work, for `backstory doctor` and `doctor --logs`. Never contains captured text. */
export type Failure = Health['failures'][number];

const maxBytes = 512 * 1024;

export function recordFailure(path: string, where: string, error: unknown, clock: Clock): void {
  try {
    ensureDirectory(dirname(path));
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > maxBytes) renameSync(path, `${path}.old`);
    const failure: Failure = {
      at: isoTime(clock.now()),
      where: redact(where),
      code: systemCodeOf(error) ?? '',
      message: redact(messageOf(error)).slice(0, 300),
    };
    appendFileSync(path, `${JSON.stringify(failure)}\n`, { mode: 0o600 });
  } catch {
    // Recording is best effort: on a full disk the failure cannot be written either.
  }
}

export function readFailures(path: string): Failure[] {
  return (readIfThere(path) ?? '').split('\n').flatMap((line) => {
    const value = parseObject(line);
    if (value === undefined) return [];
    return [
      { at: text(value.at), where: text(value.where), code: text(value.code), message: text(value.message) },
    ];
  });
}
