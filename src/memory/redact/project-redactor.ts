import { readJson } from '../../base/files.ts';
import type { HomePaths } from '../../base/paths.ts';
import type { Project } from '../../domain/project.ts';
import { redactorFor, type Variables } from './env-secrets.ts';
import type { Redactor } from './redact.ts';

const maxCheckouts = 5;

export interface ProjectSecrets {
  project: string;
  paths: HomePaths;
  /** The environment, whose credentials are masked wherever they are said. */
  variables?: Variables;
}

/**
 * Knows the secrets of every checkout of a project, because what was said in one may be read from another. And a linked
 * worktree often has its `.env` as a link to that of the first checkout, which is read there and not through the link.
 * `here` is the checkout that is worked in.
 */
export function projectRedactor({ project, paths, variables = {} }: ProjectSecrets, here?: string): Redactor {
  const known = readJson<Project>(paths.project(project).identity)?.paths ?? [];
  const roots = [...known.slice(-maxCheckouts), ...(here === undefined ? [] : [here])];
  return redactorFor([...new Set(roots)], variables);
}
