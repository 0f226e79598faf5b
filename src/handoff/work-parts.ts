import { resolve } from 'node:path';
import { matchesGlob } from '../base/glob.ts';
import { hashId } from '../base/hash.ts';
import { uuidv7 } from '../base/ids.ts';
import type { EventContext, WorkStep } from '../domain/event.ts';
import type { Place } from '../domain/project.ts';
import { recordOwnEvents } from '../memory/capture/own-events.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import { projectRedactor } from '../memory/redact/project-redactor.ts';
import type { Redactor } from '../memory/redact/redact.ts';
import { brokenRules } from '../memory/rules/match-rules.ts';
import { readRules } from '../memory/rules/rule-table.ts';
import { createSnapshotFiles, type SnapshotFiles } from '../store/snapshots/snapshot-files.ts';
import type { Ledger } from './ledger.ts';
import { readLedger } from './read-ledger.ts';

export interface WorkParts {
  project: OpenProject;
  place: Place;
  context: EventContext;
  /** True for a person at a terminal, false for an agent that calls a tool. Text from users has more trust. */
  isUser: boolean;
  mayWrite: boolean;
}

export const ledgerOf = ({ project, mayWrite }: WorkParts): Ledger => readLedger(project, mayWrite);

export const snapshotsOf = ({ project }: WorkParts): SnapshotFiles =>
  createSnapshotFiles(project.paths.project(project.project).snapshots);

export const redactorOf = ({ project }: WorkParts): Redactor => projectRedactor(project);

/** Whether a file is excluded from memory. The path may be absolute or relative to the working tree. */
export const isExcluded = ({ project, place }: WorkParts, path: string): boolean =>
  project.exclude.some((glob) =>
    [path, resolve(place.root, path)].some((name) => matchesGlob(name, glob, project.userHome)),
  );

/** Returns a test of whether a rule that the user enforces denies a command, or the edit of a file. */
export function denialsOf({ project, place: { root } }: WorkParts) {
  const { paths } = project;
  const files = [paths.project(project.project).rules, paths.everywhere.rules];
  const rules = files.flatMap(readRules).filter(({ isEnforced }) => isEnforced === true);
  return ({ command = '', path }: { command?: string; path?: string }): boolean => {
    const edits = path === undefined ? [] : [{ path, added: '', removed: '' }];
    return brokenRules(rules, { command, cwd: root, root, edits }).length > 0;
  };
}

/** Appends an event that changes a work session. There is no other way to change one. */
export function recordStep(parts: WorkParts, body: WorkStep): void {
  const { project, context, isUser } = parts;
  const step = {
    kind: 'work' as const,
    id: hashId('work', uuidv7(project.clock.now())),
    origin: isUser ? ('user' as const) : ('assistant' as const),
    trust: isUser ? (3 as const) : (1 as const),
    body,
  };
  recordOwnEvents(project, context, [step], redactorOf(parts));
}

const dayMs = 24 * 60 * 60 * 1000;

/** Whether work in this checkout was handed to an agent within a day. A session that starts here may be that agent. */
export function hasPendingHandoff({ paths, project }: OpenProject, { root }: Place, now: number): boolean {
  const newest = createSnapshotFiles(paths.project(project).snapshots).newestSince(now - dayMs);
  return newest.some(({ manifest }) => manifest.target !== '' && manifest.repo_root === root);
}
