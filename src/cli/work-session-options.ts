import { realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { entryAt, readCheckoutFile, resolveWritePath } from '../base/checkout-file.ts';
import { AppError } from '../base/errors.ts';
import { removeIfThere, replaceFile } from '../base/files.ts';
import type { Snapshot } from '../domain/snapshot.ts';
import type { WorkSession } from '../domain/work-session.ts';
import { briefBudget } from '../handoff/brief.ts';
import { withBlock, withoutBlock } from '../handoff/brief-block.ts';
import type { Ledger } from '../handoff/ledger.ts';
import { findSession, latestHere } from '../handoff/sessions.ts';
import type { Pin } from '../handoff/snapshot.ts';
import { ledgerOf, type WorkParts } from '../handoff/work-parts.ts';
import { drain } from '../memory/drain.ts';
import type { App, Given } from './command.ts';
import { stringOf } from './command.ts';

/** What the commands that continue work have in common. */
export async function openWork(app: App): Promise<{ work: WorkParts; ledger: Ledger }> {
  const place = app.place();
  const project = app.open({ id: place.project, name: place.name });
  const mayWrite = app.isActive();
  // What the agents' own transcripts tell of the last turns comes in first.
  if (mayWrite) await drain(project);
  const context = app.context(place, mayWrite);
  const work = { project, place, context, isUser: true, mayWrite };
  return { work, ledger: ledgerOf(work) };
}

export function theSession(given: Given, work: WorkParts, ledger: Ledger): WorkSession {
  const id = stringOf(given, 'session');
  if (id !== undefined) return findSession(ledger, id);
  const latest = latestHere(work, ledger);
  if (latest !== undefined) return latest;
  throw new AppError('NOT_FOUND', 'no agent has worked here yet', { hint: 'backstory install claude-code' });
}

export function theBudget(given: Given): number {
  const text = stringOf(given, 'budget') ?? String(briefBudget.usual);
  const budget = Number(text);
  if (Number.isInteger(budget) && budget >= briefBudget.least) return Math.min(budget, briefBudget.most);
  throw new AppError('INVALID_ARGUMENT', `${text} is not a number of tokens`, {
    hint: `from ${briefBudget.least} to ${briefBudget.most}`,
  });
}

/** `src/a.ts:10-40`, or `src/a.ts:10`. */
export function thePins(given: Given): Pin[] {
  const pins = given.values.pin;
  return (Array.isArray(pins) ? pins : []).map((text) => {
    const [, path, start, end] = /^(.+):(\d+)(?:-(\d+))?$/.exec(String(text)) ?? [];
    if (path === undefined) {
      throw new AppError('INVALID_ARGUMENT', `${String(text)} names no lines of a file`, {
        hint: 'backstory handoff codex --pin src/worker.ts:10-40',
      });
    }
    return { path, lineStart: Number(start), lineEnd: Number(end ?? start) };
  });
}

/** Before anything is recorded: a place that a brief cannot be written to is refused. */
export function checkWriteTo(given: Given, root: string, cwd: string): void {
  const name = stringOf(given, 'write-to');
  if (name !== undefined) insideOf(root, cwd, name);
}

/** Writes the brief where the user asked for it, and nowhere else. Says what was done, or nothing. */
export function writeBrief(given: Given, root: string, cwd: string, brief: string): string[] {
  const name = stringOf(given, 'write-to');
  if (name === undefined) return [];
  const { path, mode, text } = insideOf(root, cwd, name);
  replaceFile(path, withBlock(text, brief), mode);
  return [`Written to ${path}; backstory brief --remove-from ${name} takes it out.`];
}

export function removeBrief(root: string, cwd: string, name: string): string {
  const { path, mode, text = '' } = insideOf(root, cwd, name);
  const rest = withoutBlock(text);
  if (rest === undefined) return `There is no brief in ${path}.`;
  if (rest.isEmpty) removeIfThere(path);
  else replaceFile(path, rest.text, mode);
  return `Taken out of ${path}.`;
}

/** A brief goes into what agents read at every start, which is not longer. */
const maxFileBytes = 4 * 1024 * 1024;

interface FileToWrite {
  path: string;
  mode: number;
  /** What it holds now; undefined for one that is not there yet. */
  text: string | undefined;
}

/** Where a link leads: one file often goes by two names, and must stay one. */
function insideOf(root: string, cwd: string, name: string): FileToWrite {
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
    throw new AppError('INVALID_ARGUMENT', `${path} is too large, or may not be read`, {
      hint: '--write-to AGENTS.md',
    });
  }
  return { path, mode, text: file.kind === 'file' ? file.bytes.toString('utf8') : undefined };
}

/** What a person sees of it and a program gets. */
export const snapshotFields = ({ manifest }: Snapshot) => ({
  snapshot_id: manifest.snapshot_id,
  session_id: manifest.session_id,
  goal: manifest.goal,
});
