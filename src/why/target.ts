import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { findCheckoutFile } from '../base/checkout-file.ts';
import { AppError } from '../base/errors.ts';
import type { CodeSearch } from '../code/code-search.ts';
import type { WhyQuery } from './why.ts';

const timeoutMs = 30_000;

interface Asked {
  root: string;
  cwd: string;
  code(): Promise<Pick<CodeSearch, 'definitions' | 'lines'>>;
  /** Only the user at their own terminal: an answer quotes lines, and what git ignores is where secrets are. */
  mayBeIgnored: boolean;
}

/** FILE, FILE:LINE, FILE:FROM-TO or a SYMBOL. A file of that name goes before everything else. */
export async function resolveTarget(text: string, asked: Asked): Promise<WhyQuery> {
  const query = await targetOf(text, asked);
  if (!asked.mayBeIgnored) await refuseIgnored(query.path, await asked.code());
  return query;
}

async function refuseIgnored(path: string, code: Pick<CodeSearch, 'lines'>): Promise<void> {
  const found = await code.lines({ path, from: 1, to: 1 });
  // The end of a path is enough to find a file, so another one of that name may have been found.
  if (found.path === path) return;
  throw new AppError('NOT_FOUND', `${path} is no file that is searched here`, {
    hint: 'backstory files NAME finds it',
  });
}

async function targetOf(text: string, { root, cwd, code }: Asked): Promise<WhyQuery> {
  const whole = fileAt(text, cwd, root);
  if (whole !== undefined) return { path: whole };
  const place = /^(.+?):(\d+)(?:-(\d+))?$/.exec(text);
  const path = place === null ? undefined : fileAt(place[1] as string, cwd, root);
  if (place !== null && path !== undefined) {
    const from = Number(place[2]);
    return { path, range: { from, to: Number(place[3] ?? from) } };
  }
  if (place !== null || /[\\/\s]/.test(text)) {
    throw new AppError('NOT_FOUND', `${place?.[1] ?? text} is no file of this checkout`, {
      hint: 'backstory files NAME finds it',
    });
  }
  return symbolAt(text, await code());
}

/** Relative to where one stands, else to the top of the working tree; undefined when it is no file inside of it. */
function fileAt(name: string, cwd: string, root: string): string | undefined {
  // Where the user stands may be reached through a link of their own.
  const top = realpathSync(root);
  const folders = [realpathSync(cwd), top];
  return folders.map((folder) => findCheckoutFile(top, resolve(folder, name))).find(Boolean)?.relativePath;
}

async function symbolAt(name: string, code: Pick<CodeSearch, 'definitions'>): Promise<WhyQuery> {
  const search = { name, path: undefined, language: undefined, limit: 1, offset: 0, deadlineMs: timeoutMs };
  const [first] = (await code.definitions(search)).definitions;
  if (first === undefined) {
    throw new AppError('NOT_FOUND', `${name} is neither a file nor a symbol of this checkout`, {
      hint: 'backstory why FILE:LINE',
    });
  }
  return { path: first.path, range: { from: first.startLine, to: first.endLine } };
}
