import { readJson } from '../../base/files.ts';
import type { HomePaths } from '../../base/paths.ts';
import type { Project } from '../../domain/project.ts';
import { redactorFor, type Variables } from './env-secrets.ts';
import type { Redactor } from './redact.ts';

const maxCheckouts = 5;

export interface ProjectSecrets {
  project: string;
  paths: HomePaths;
  /** The environment, whose credentials are masked wherever they occur. */
  variables?: Variables;
}

/**
 * A redactor with the secrets of every checkout of a project, because text of one may be read in another. Also, the
 * `.env` of a worktree is often a link to that of the main checkout, which is not followed but read there. `here` is
 * the current checkout.
 */
export function projectRedactor({ project, paths, variables = {} }: ProjectSecrets, here?: string): Redactor {
  const known = readJson<Project>(paths.project(project).identity)?.paths ?? [];
  const roots = [...known.slice(-maxCheckouts), ...(here === undefined ? [] : [here])];
  return redactorFor([...new Set(roots)], variables);
}
