import { join } from 'node:path';
import {
  type PreludeLine,
  preludeMaxChars,
  preludeText,
  writePrelude,
} from '../../src/memory/prelude/prelude-file.ts';
import { openProject } from '../../test/harness/home.ts';

const lineLength = 300;
/** The prefix of every line. */
const mark = '\n- ';

/**
 * Writes the longest possible prelude (the context that a new session receives): the hook's output is just below the
 * limit.
 */
export function writeLongPrelude(projectFolder: string): void {
  const { log } = openProject(projectFolder);
  const lines: PreludeLine[] = [lineOf(0, lineLength)];
  for (;;) {
    const left = preludeMaxChars - preludeText(lines, [], 'repo').length - mark.length;
    if (left <= 0) break;
    lines.push(lineOf(lines.length, Math.min(lineLength, left)));
  }
  writePrelude(join(projectFolder, 'prelude.json'), { v: 1, position: log.end(), lines });
}

const lineOf = (at: number, length: number): PreludeLine => ({
  section: 'You said',
  text: `2026-11-0${1 + (at % 9)} "${'we keep the queue in Postgres because it survives a restart; '.repeat(9)}`.slice(
    0,
    length,
  ),
  reason: 'a prompt of yours',
});
