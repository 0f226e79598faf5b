import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { findCheckoutFile } from '../base/checkout-file.ts';
import { AppError } from '../base/errors.ts';
import type { CodeSearch } from '../code/code-search.ts';
import { findRange, type RevisionRange } from '../git/revisions.ts';
import type { WhyQuery } from './why.ts';

const timeoutMs = 30_000;

interface TargetContext {
  root: string;
  cwd: string;
  code(): Promise<Pick<CodeSearch, 'definitions' | 'lines'>>;
  /** True only for the user at a terminal. Answers quote lines, and files that git ignores often contain secrets. */
  mayBeIgnored: boolean;
}

/** Resolves FILE, FILE:LINE, FILE:FROM-TO, FILE:SYMBOL or a SYMBOL. A file with that exact name takes precedence. */
export async function resolveTarget(text: string, context: TargetContext): Promise<WhyQuery> {
  const query = await targetOf(text, context);
  if (!context.mayBeIgnored) await refuseIgnored(query.path, await context.code());
  return query;
}

/** Resolves a place in the code or, if there is no file and no symbol of that name, a commit, branch or range of commits. */
export async function resolveSubject(
  text: string,
  context: TargetContext,
): Promise<WhyQuery | RevisionRange> {
  try {
    return await resolveTarget(text, context);
  } catch (error) {
    // A range is no valid name of a symbol.
    if (!(error instanceof AppError) || !['NOT_FOUND', 'INVALID_QUERY'].includes(error.code)) throw error;
    const range = await findRange(context.root, text);
    if (range !== undefined) return range;
    if (!/[^./\\]\.{2,3}[^./\\]/.test(text)) throw error;
    throw new AppError('NOT_FOUND', `${text} is no range of commits: one of them does not exist here`, {
      hint: 'git log --oneline',
    });
  }
}

async function refuseIgnored(path: string, code: Pick<CodeSearch, 'lines'>): Promise<void> {
  const found = await code.lines({ path, from: 1, to: 1 });
  // The end of a path is enough for a match, so this may be another file with the same name.
  if (found.path === path) return;
  throw new AppError('NOT_FOUND', `${path} is not a searchable file of this checkout`, {
    hint: 'Find it: backstory search --files NAME',
  });
}

async function targetOf(text: string, { root, cwd, code }: TargetContext): Promise<WhyQuery> {
  const whole = fileAt(text, cwd, root);
  if (whole !== undefined) return { path: whole };
  const place = /^(.+?):(\d+)(?:-(\d+))?$/.exec(text);
  const path = place === null ? undefined : fileAt(place[1] as string, cwd, root);
  if (place !== null && path !== undefined) {
    const from = Number(place[2]);
    return { path, range: { from, to: Number(place[3] ?? from) } };
  }
  const [, file = '', name = ''] = /^(.+):([^:\d\s][^:\s]*)$/.exec(text) ?? [];
  const around = file === '' ? undefined : fileAt(file, cwd, root);
  if (around !== undefined) return symbolAt(name, await code(), around);
  if (place !== null || /[\\/\s]/.test(text)) {
    throw new AppError('NOT_FOUND', `${place?.[1] ?? text} is not a file of this checkout`, {
      hint: 'Find it: backstory search --files NAME',
    });
  }
  return symbolAt(text, await code());
}

/** Resolves a path against the working directory, then against the root of the working tree; undefined if not found. */
function fileAt(name: string, cwd: string, root: string): string | undefined {
  // The working directory may be reached through a symbolic link.
  const top = realpathSync(root);
  const folders = [realpathSync(cwd), top];
  return folders.map((folder) => findCheckoutFile(top, resolve(folder, name))).find(Boolean)?.relativePath;
}

async function symbolAt(
  name: string,
  code: Pick<CodeSearch, 'definitions'>,
  path?: string,
): Promise<WhyQuery> {
  const search = { name, path, limit: 1, offset: 0, deadlineMs: timeoutMs };
  const [first] = (await code.definitions(search)).definitions;
  if (first === undefined) {
    throw new AppError('NOT_FOUND', `${name} is neither a file, a symbol nor a commit of this checkout`, {
      hint: 'Name a line: backstory why FILE:LINE',
    });
  }
  return { path: first.path, range: { from: first.startLine, to: first.endLine } };
}
