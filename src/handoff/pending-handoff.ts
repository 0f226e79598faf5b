import type { Place } from '../domain/project.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import { createSnapshotFiles } from '../store/snapshots/snapshot-files.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Whether work in this checkout was handed to an agent within a day. A session that starts here may be that agent. */
export function hasPendingHandoff({ paths, project }: OpenProject, { root }: Place, now: number): boolean {
  const newest = createSnapshotFiles(paths.project(project).snapshots).newestSince(now - dayMs);
  return newest.some(({ manifest }) => manifest.target !== '' && manifest.repo_root === root);
}
