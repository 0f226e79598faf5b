import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Json, parseObject, text } from '../base/json.ts';
import { readLines } from '../base/lines.ts';
import type { TranscriptCursor, TranscriptStep } from './agent.ts';
import type { AgentFolder } from './setup.ts';

/**
 * Reads an agent's transcripts. The name of a transcript is the path of its file or, for OpenCode, the database and the
 * session id.
 */
export interface TranscriptSource {
  read(
    name: string,
    displayName: string,
    from: TranscriptCursor,
    redact: (words: string) => string,
  ): Generator<TranscriptStep>;
  /** Names of the transcripts of the session's subagents. */
  companions(name: string): string[];
  /** The file that contains the transcript; undefined if the name is not one of this agent's. */
  fileOf(name: string): string | undefined;
  /** A value that changes when the transcript has more to read; undefined if there is nothing to read. */
  stamp(name: string): string | undefined;
  /** The folder that contains all transcripts. A file outside is never read, whatever a hook call says. */
  root(folder: AgentFolder): string;
  /** The transcripts of all sessions below the root, without those of subagents. */
  find(root: string): TranscriptFile[];
}

/** A transcript of an agent on this machine. */
export interface TranscriptFile {
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

/** What all agents have in common that write one file of JSON lines for each session. */
export const jsonLines: Pick<TranscriptSource, 'companions' | 'fileOf' | 'stamp'> = {
  companions: () => [],
  fileOf: (name) => (name.endsWith('.jsonl') ? name : undefined),
  stamp: fileStamp,
};

function fileStamp(path: string): string | undefined {
  try {
    const { size, mtimeMs } = statSync(path);
    return `${size}:${mtimeMs}`;
  } catch {
    return undefined;
  }
}

/** Finds files of JSON lines exactly `depth` folders below `folder`. Files at other depths are not transcripts. */
export function findJsonLines(
  folder: string,
  depth: number,
  name = /\.jsonl$/,
  cwdOf = (value: Json, _file: string): string => text(value.cwd),
): TranscriptFile[] {
  return filesUnder(folder, depth, name).flatMap((file) => {
    const cwd = firstCwd(file, cwdOf);
    if (cwd === '') return [];
    const { size: bytes, mtimeMs: changed } = statSync(file);
    return [{ file, bytes, changed, cwd }];
  });
}

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

function firstCwd(file: string, cwdOf: (value: Json, file: string) => string): string {
  let records = 0;
  for (const line of readLines(file, 0, { maxLineBytes: maxRecordBytes })) {
    const cwd = cwdOf((line.bytes && parseObject(line.bytes.toString('utf8'))) ?? {}, file);
    if (cwd !== '') return cwd;
    records += 1;
    if (records >= maxRecords) break;
  }
  return '';
}
