import type { ToolServer } from './answer.ts';
import type { FrecentFiles } from './frecent-files.ts';
import type { McpParts } from './parts.ts';
import type { CurrentSession } from './session-answer.ts';
import { registerSessionClose } from './session-close.ts';
import { registerSessionHandoff } from './session-handoff.ts';
import { registerSessionList } from './session-list.ts';
import { registerSessionOpen } from './session-open.ts';
import { registerSessionResume } from './session-resume.ts';
import { registerSessionSnapshot } from './session-snapshot.ts';
import { registerSessionSnapshotDiff } from './session-snapshot-diff.ts';
import { registerSessionSnapshotGet } from './session-snapshot-get.ts';
import { registerSessionSnapshotList } from './session-snapshot-list.ts';
import { registerSessionStatus } from './session-status.ts';

/**
 * Tools for agents that manage work sessions themselves. They are optional: a work session is also created without
 * them. If a handoff waits, session_resume is registered in every tool set.
 */
export function registerSessionTools(server: ToolServer, parts: McpParts, frecentFiles: FrecentFiles): void {
  const current: CurrentSession = {};
  if (parts.tools === 'all') {
    registerSessionOpen(server, parts, current);
    registerSessionStatus(server, parts, current);
    registerSessionList(server, parts);
    registerSessionClose(server, parts, current);
    registerSessionSnapshot(server, parts, current);
    registerSessionHandoff(server, parts, current);
    registerSessionSnapshotList(server, parts);
    registerSessionSnapshotGet(server, parts);
    registerSessionSnapshotDiff(server, parts);
  }
  if (parts.tools === 'all' || parts.isHandoffWaiting())
    registerSessionResume(server, parts, { current, frecentFiles });
}
