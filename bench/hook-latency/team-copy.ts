import { join } from 'node:path';
import { maxCachedTextLength } from '../../src/wire/answers/team-memory.ts';
import type { Home } from '../../test/harness/home.ts';
import type { Prose } from '../../test/harness/prose.ts';
import type { Random } from '../../test/harness/random.ts';
import { writeTeamIssues } from '../../test/support/team-issues.ts';

/** Gives a home the largest copy of a team's issues. Each begins with the subject of the request of `long-memory.ts`. */
export function writeTeamCopy(home: Home, prose: Prose, random: Random): void {
  writeTeamIssues(
    join(home.projectFolder(), 'team-memories.json'),
    'queue',
    (number) =>
      `The retry queue loses jobs in run ${number}: Redis or Postgres keeps them\n\n${prose.take(maxCachedTextLength, random)}`,
  );
  const { status, stderr } = home.cli('doctor', '--reindex');
  if (status !== 0) throw new Error(`reindex failed: ${stderr}`);
}
