import { join } from 'node:path';
import { type PreludeLine, preludeMaxChars, preludeText, writePrelude } from '../../src/memory/prelude-file.ts';
import { openProject } from '../home.ts';

const lineLength = 300;

/** A prelude as long as one may be: what the hook prints from it is just below the limit. */
export function writeLongPrelude(projectFolder: string): void {
  const { log } = openProject(projectFolder);
  const lines: PreludeLine[] = [];
  for (;;) {
    const left = preludeMaxChars - preludeText(lines, [], 'repo').length;
    if (left < lineLength / 10 && lines.length > 0) break;
    lines.push(lineOf(lines.length, Math.min(lineLength, left)));
    // The section's own heading and marks count too, and push the last line over.
    if (preludeText(lines, [], 'repo').length > preludeMaxChars) {
      lines.pop();
      break;
    }
  }
  writePrelude(join(projectFolder, 'prelude.json'), { v: 1, position: log.end(), lines });
}

const lineOf = (at: number, length: number): PreludeLine => ({
  section: 'Decided',
  text: `2026-11-0${1 + (at % 9)} you said: ${'we keep the queue in Postgres because it survives a restart; '.repeat(9)}`.slice(
    0,
    length,
  ),
  reason: 'your own words in a prompt',
});
