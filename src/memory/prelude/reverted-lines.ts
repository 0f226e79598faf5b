import { localDay } from '../../base/clock.ts';
import { hashId } from '../../base/hash.ts';
import type { Evidence } from '../../recall/evidence.ts';
import { failedPathsIn } from '../../recall/failed-paths.ts';
import { harmlessLine } from '../../text/fence.ts';
import { editedName } from '../../text/safe-name.ts';
import type { FailedPath } from '../../wire/answers/memory.ts';
import type { PreludeLine } from './prelude-file.ts';
import { bareCommand } from './short-command.ts';

const maxFiles = 12;
const maxReverted = 2;
const maxRevertedAgeMs = 30 * 24 * 60 * 60_000;

/** A session that continues work on these files might try them again; for other files they would be noise. */
export async function revertedLines(
  files: string[],
  now: number,
  evidence: Evidence,
): Promise<PreludeLine[]> {
  const found: FailedPath[] = [];
  for (const path of files.slice(0, maxFiles)) found.push(...(await failedPathsIn(path, evidence)));
  return found
    .flatMap(({ at, path, prompt, failure }) =>
      // Without a check that failed in between, an edit that was undone may just have been tidied up.
      failure === undefined || prompt?.by !== 'user' || now - at >= maxRevertedAgeMs
        ? []
        : [{ at, path, prompt, command: bareCommand(failure.text) }],
    )
    .sort((a, b) => b.at - a.at)
    .filter(({ prompt }, at, all) => all.findIndex((other) => other.prompt.id === prompt.id) === at)
    .slice(0, maxReverted)
    .map(({ at, path, prompt, command }) => {
      const why = command === '' ? '' : `, after \`${command}\` failed`;
      const asked = `${harmlessLine(prompt.text, 200)} [${prompt.id.slice(0, 8)}]`;
      return {
        section: 'Failed before',
        text: `${localDay(at)} tried in ${editedName(path, prompt.text)} and reverted${why}; you had asked: ${asked}`,
        reason: 'seen by Backstory, and a prompt of yours',
        event: prompt.id,
        line: hashId('reverted', prompt.id),
      };
    });
}
