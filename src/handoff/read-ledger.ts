import { readJson, writeJson } from '../base/files.ts';
import type { HomePaths } from '../base/paths.ts';
import type { WorkSession } from '../domain/work-session.ts';
import { bytesAfter, type EventLog, isWithin, type LogPosition } from '../store/events/event-log.ts';
import { type Client, emptyLedger, foldRecord, type Ledger, type Membership } from './ledger.ts';

export interface LedgerParts {
  log: EventLog;
  paths: HomePaths;
  project: string;
}

/** Raised when the fold comes to other results; what was kept is then folded anew. */
const foldVersion = 1;
/** Less is read again sooner than it is written. */
const worthKeeping = 256 * 1024;
const worthKeepingEarly = 16 * 1024;

/** The fold as it was kept: a function of the part of the log before `position`, whoever wrote it last. */
interface KeptLedger {
  v: number;
  position: LogPosition;
  sessions: WorkSession[];
  memberships: [string, Membership[]][];
  clients: [number, Client][];
}

/** Every work session of the project as of now. `mayKeep` is false where nothing may be written. */
export function readLedger(
  { log, paths, project }: LedgerParts,
  mayKeep: boolean,
  leastBytes = worthKeeping,
): Ledger {
  const file = paths.project(project).workSessions;
  const end = log.end();
  const ledger = keptLedger(file, end) ?? emptyLedger();
  const behind = bytesAfter(ledger.position, end);
  for (const record of log.read(ledger.position)) {
    foldRecord(ledger, record);
    ledger.position[record.file] = record.end;
  }
  if (mayKeep && behind >= leastBytes) keep(file, ledger);
  return ledger;
}

/** In the background, so that whoever asks next has little left to fold. */
export const keepLedger = (parts: LedgerParts): void => {
  readLedger(parts, true, worthKeepingEarly);
};

function keptLedger(file: string, end: LogPosition): Ledger | undefined {
  const kept = readJson<KeptLedger>(file);
  // A log that was shortened, by retention or a restore, is another one.
  if (kept?.v !== foldVersion || !isWithin(kept.position, end)) return undefined;
  return {
    position: kept.position,
    sessions: new Map(kept.sessions.map((session) => [session.id, session])),
    memberships: new Map(kept.memberships),
    clients: new Map(kept.clients),
  };
}

function keep(file: string, { position, sessions, memberships, clients }: Ledger): void {
  const kept: KeptLedger = {
    v: foldVersion,
    position,
    sessions: [...sessions.values()],
    memberships: [...memberships],
    clients: [...clients].slice(-maxClients),
  };
  writeJson(file, kept);
}

/** Process ids come again; only the newest are worth knowing. */
const maxClients = 500;
