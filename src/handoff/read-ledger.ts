import { readJson, writeJson } from '../base/files.ts';
import type { WorkSession } from '../domain/work-session.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import { bytesAfter, isWithin, type LogPosition } from '../store/events/event-log.ts';
import { applyRecord, type Client, emptyLedger, type Ledger, type Membership } from './ledger.ts';

/** Version of the cached ledger. Increase it when the rules in ledger.ts change, so that cached ledgers are rebuilt. */
const ledgerVersion = 1;
/** The cache is written only if the log has grown by this much: reading less again is cheaper. */
const minNewBytes = 256 * 1024;

/** A cached ledger. It depends only on the log before `position`, not on the process that wrote it. */
interface CachedLedger {
  v: number;
  position: LogPosition;
  sessions: WorkSession[];
  memberships: [string, Membership[]][];
  clients: [number, Client][];
}

export function readLedger(
  { log, paths, project }: Pick<OpenProject, 'log' | 'paths' | 'project'>,
  mayWrite: boolean,
): Ledger {
  const file = paths.project(project).workSessions;
  const end = log.end();
  const ledger = readCache(file, end) ?? emptyLedger();
  const behind = bytesAfter(ledger.position, end);
  for (const record of log.read(ledger.position)) {
    applyRecord(ledger, record);
    ledger.position[record.file] = record.end;
  }
  if (mayWrite && behind >= minNewBytes) writeCache(file, ledger);
  return ledger;
}

function readCache(file: string, end: LogPosition): Ledger | undefined {
  const cached = readJson<CachedLedger>(file);
  // Retention or a restore may have shortened the log. Then the cache does not match the log and is not used.
  if (cached?.v !== ledgerVersion || !isWithin(cached.position, end)) return undefined;
  return {
    position: cached.position,
    sessions: new Map(cached.sessions.map((session) => [session.id, session])),
    memberships: new Map(cached.memberships),
    clients: new Map(cached.clients),
  };
}

function writeCache(file: string, { position, sessions, memberships, clients }: Ledger): void {
  const cached: CachedLedger = {
    v: ledgerVersion,
    position,
    sessions: [...sessions.values()],
    memberships: [...memberships],
    clients: [...clients].slice(-maxClients),
  };
  writeJson(file, cached);
}

/** How many agent processes are remembered. Process ids are reused, so only the newest are kept. */
const maxClients = 500;
