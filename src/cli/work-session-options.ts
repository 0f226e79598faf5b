import { realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { entryAt, readCheckoutFile, resolveWritePath } from '../base/checkout-file.ts';
import { AppError } from '../base/errors.ts';
import { removeIfThere, replaceFile } from '../base/files.ts';
import type { WorkSession } from '../domain/work-session.ts';
import { briefBudget } from '../handoff/brief.ts';
import { withBlock, withoutBlock } from '../handoff/brief-block.ts';
import type { Ledger } from '../handoff/ledger.ts';
import { findSession, latestHere } from '../handoff/sessions.ts';
import type { Pin } from '../handoff/snapshot.ts';
import { ledgerOf, type WorkParts } from '../handoff/work-parts.ts';
import { drain } from '../memory/drain.ts';
import type { App, ParsedArgs } from './command.ts';
import { stringOf } from './command.ts';

/**
 * Opens the work sessions (tasks that agents hand over to each other) of this checkout, for `handoff`.
 */
export async function openWork(app: App): Promise<{ work: WorkParts; ledger: Ledger }> {
  const place = app.place();
  const project = app.open(place.project);
  const mayWrite = app.activation().on;
  // Index the agents' transcripts first: the last turns may be only there.
  if (mayWrite) await drain(project);
  const context = app.context(place, mayWrite);
  const work = { project, place, context, isUser: true, mayWrite };
  return { work, ledger: ledgerOf(work) };
}

export function sessionOption(args: ParsedArgs, work: WorkParts, ledger: Ledger): WorkSession {
  const id = stringOf(args, 'session');
  if (id !== undefined) return findSession(ledger, id);
  const latest = latestHere(work, ledger);
  if (latest !== undefined) return latest;
  throw new AppError('NOT_FOUND', 'there is no captured agent session here', {
    hint: 'backstory install claude-code',
  });
}

export function budgetOption(args: ParsedArgs): number {
  const text = stringOf(args, 'budget') ?? String(briefBudget.usual);
  const budget = Number(text);
  if (Number.isInteger(budget) && budget >= briefBudget.least) return Math.min(budget, briefBudget.most);
  throw new AppError('INVALID_ARGUMENT', `--budget must be a number of tokens, not ${text}`, {
    hint: `--budget N, from ${briefBudget.least} to ${briefBudget.most}`,
  });
}

/** Parses `src/a.ts:10-40` and `src/a.ts:10`. */
export function pinOptions(args: ParsedArgs): Pin[] {
  const pins = args.values.pin;
  return (Array.isArray(pins) ? pins : []).map((text) => {
    const [, path, start, end] = /^(.+):(\d+)(?:-(\d+))?$/.exec(String(text)) ?? [];
    if (path === undefined) {
      throw new AppError('INVALID_ARGUMENT', `${String(text)} is not FILE:FROM-TO`, {
        hint: 'backstory handoff codex --pin src/worker.ts:10-40',
      });
    }
    return { path, lineStart: Number(start), lineEnd: Number(end ?? start) };
  });
}

/** Throws if the brief cannot be written to the file of `--write-to`. Call it before anything is recorded. */
export function checkWriteTo(args: ParsedArgs, root: string, cwd: string): void {
  const name = stringOf(args, 'write-to');
  if (name !== undefined) fileInProject(root, cwd, name);
}

/** Writes the brief if --write-to is set. Returns lines for the output. */
export function writeBrief(args: ParsedArgs, root: string, cwd: string, brief: string): string[] {
  const name = stringOf(args, 'write-to');
  if (name === undefined) return [];
  const { path, mode, text } = fileInProject(root, cwd, name);
  replaceFile(path, withBlock(text, brief), mode);
  return [`Written to ${path}. To remove it: backstory handoff --remove-from ${name}`];
}

/** Removes the brief from a file; returns false if the file contains none. */
export function removeBrief(root: string, cwd: string, name: string): boolean {
  const { path, mode, text = '' } = fileInProject(root, cwd, name);
  const rest = withoutBlock(text);
  if (rest === undefined) return false;
  if (rest.isEmpty) removeIfThere(path);
  else replaceFile(path, rest.text, mode);
  return true;
}

/** A brief goes into instruction files such as AGENTS.md, which are never this large. */
const maxFileBytes = 4 * 1024 * 1024;

interface FileToWrite {
  path: string;
  mode: number;
  /** Current text; undefined if the file does not exist. */
  text: string | undefined;
}

/** Resolves links: CLAUDE.md is often a link to AGENTS.md, and must stay one. */
function fileInProject(root: string, cwd: string, name: string): FileToWrite {
  const top = realpathSync(root);
  const named = resolve(cwd, name);
  const place = resolveWritePath(top, named);
  if (place === undefined || entryAt(top, dirname(place.path)) !== 'folder') {
    throw new AppError('INVALID_ARGUMENT', `${named} is not in this project`, {
      hint: '--write-to AGENTS.md',
    });
  }
  const { path, mode = 0o644 } = place;
  const file = readCheckoutFile(top, path, maxFileBytes);
  if (file.kind === 'large' || file.kind === 'refused') {
    throw new AppError('INVALID_ARGUMENT', `${path} is too large or cannot be read`, {
      hint: '--write-to AGENTS.md',
    });
  }
  return { path, mode, text: file.kind === 'file' ? file.bytes.toString('utf8') : undefined };
}
