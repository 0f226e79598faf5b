import { realpathSync } from 'node:fs';
import { systemClock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { isFolder } from '../base/files.ts';
import { type CodeSearch, createCodeSearch } from '../code/code-search.ts';
import type { Place } from '../domain/project.ts';
import { createWorktreeFiles } from '../git/worktree-files.ts';
import { mayIndexCode } from '../memory/projects/activation.ts';
import { tryWriterLock } from '../store/sqlite/writer-lock.ts';
import { loadBuiltIn } from './load-embedder.ts';
import { createJobRunner } from './run-index-job.ts';
import type { Wiring } from './wiring.ts';

/** Not part of `wire`, so that the drain does not load it. */
export function openCode(
  wiring: Wiring,
  place: Place,
  { watches, cwd = place.root, isWanted = false }: { watches: boolean; cwd?: string; isWanted?: boolean },
): CodeSearch {
  const folder = wiring.paths.project(place.project).code(place.checkout);
  if (!isFolder(place.root))
    throw new AppError('REPO_NOT_DETECTED', `there is no folder ${place.root}`, {
      hint: 'Pass the folder of a checkout',
    });
  const root = realpathSync(place.root);
  return createCodeSearch({
    watches,
    mayWrite: mayIndexCode(wiring.activation(place, cwd), folder, isWanted),
    root,
    folder,
    userHome: wiring.userHome,
    parser: wiring.programs.parseCode,
    grammars: wiring.programs.grammars,
    embedder: () => loadBuiltIn(wiring.programs.model),
    files: createWorktreeFiles(root),
    clock: systemClock,
    tryLock: tryWriterLock,
    runJob: createJobRunner(wiring.programs.indexCode, !watches),
  });
}
