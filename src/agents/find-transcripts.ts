import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseObject, record, text } from '../base/json.ts';
import { readLines } from '../base/lines.ts';
import type { AgentName } from '../domain/event.ts';
import { findOpenCodeSessions } from './opencode-transcript.ts';
import type { AgentFolders } from './settings.ts';

/** A transcript of an agent on this machine. */
export interface FoundTranscript {
  agent: AgentName;
  file: string;
  bytes: number;
  /** Last change, milliseconds since 1970. */
  changed: number;
  /**
   * The session's working directory, from the transcript's records. It cannot be decoded reliably from the name of the
   * transcript's folder.
   */
  cwd: string;
}

export function findTranscripts(folders: AgentFolders, agents: AgentName[]): FoundTranscript[] {
  const files: Partial<Record<AgentName, () => string[]>> = {
    'claude-code': () => filesUnder(join(folders.claude, 'projects'), 1, /\.jsonl$/),
    codex: () => filesUnder(join(folders.codex, 'sessions'), 3, /^rollout-.*\.jsonl$/),
    pi: () => filesUnder(join(folders.pi, 'sessions'), 1, /\.jsonl$/),
  };
  const inFiles = agents.flatMap((agent) => (files[agent]?.() ?? []).map((file) => describe(agent, file)));
  return [...inFiles, ...(agents.includes('opencode') ? inDatabase(folders.opencodeState) : [])]
    .filter((found) => found !== undefined)
    .sort((a, b) => a.changed - b.changed);
}

/** OpenCode keeps all sessions in one database, so the size of a single session is unknown and reported as 0. */
const inDatabase = (folder: string): FoundTranscript[] =>
  findOpenCodeSessions(join(folder, 'opencode.db')).map(({ name, cwd, changed }) => ({
    agent: 'opencode',
    file: name,
    bytes: 0,
    changed,
    cwd,
  }));

/** Lists matching files exactly `depth` folders below `folder`. Files at other depths are not transcripts. */
function filesUnder(folder: string, depth: number, name: RegExp): string[] {
  const entries = (() => {
    try {
      return readdirSync(folder, { withFileTypes: true });
    } catch {
      return [];
    }
  })();
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (depth > 0) return entry.isDirectory() ? filesUnder(path, depth - 1, name) : [];
    return entry.isFile() && name.test(entry.name) ? [path] : [];
  });
}

const maxRecordBytes = 16 * 1024 * 1024;
/** How many records of a transcript are searched for the session's working directory. */
const maxRecords = 200;

function describe(agent: AgentName, file: string): FoundTranscript | undefined {
  const { size: bytes, mtimeMs: changed } = statSync(file);
  let records = 0;
  for (const line of readLines(file, 0, { maxLineBytes: maxRecordBytes })) {
    const value = line.bytes === undefined ? undefined : parseObject(line.bytes.toString('utf8'));
    const cwd = text(value?.cwd) || text(record(value?.payload).cwd);
    if (cwd !== '') return { agent, file, bytes, changed, cwd };
    records += 1;
    if (records >= maxRecords) break;
  }
  return undefined;
}
