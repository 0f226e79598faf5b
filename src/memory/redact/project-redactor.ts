import { readJson } from '../../base/files.ts';
import type { HomePaths } from '../../base/paths.ts';
import type { Project } from '../../domain/project.ts';
import { redactorFor, type Variables } from './env-secrets.ts';
import type { Redactor } from './redact.ts';

const maxCheckouts = 5;

export interface ProjectSecrets {
  project: string;
  paths: HomePaths;
  /** Environment variables. The values of credentials among them are masked wherever they occur. */
  variables?: Variables;
}

/**
 * A redactor that knows the secrets of every checkout of a project, because text of one may be read in another. The
 * `.env` file of a worktree is often a link to that of the main checkout. The link is not followed, but the file is
 * read in the main checkout. `here` is the current checkout.
 */
export function projectRedactor({ project, paths, variables = {} }: ProjectSecrets, here?: string): Redactor {
  const known = readJson<Project>(paths.project(project).identity)?.paths ?? [];
  const roots = [...known.slice(-maxCheckouts), ...(here === undefined ? [] : [here])];
  return redactorFor([...new Set(roots)], variables);
}
