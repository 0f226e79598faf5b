import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Json, parseObject, text } from '../base/json.ts';
import { readLines } from '../base/lines.ts';
import { undefinedIfUnreadable } from '../base/plain-file.ts';
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
  /** What the transcript says about the session's repository. It matters if the session's folder was deleted. */
  originOf?(name: string): SessionOrigin | undefined;
}

/** Empty texts say nothing. */
export interface SessionOrigin {
  /** The folder from which the session's worktree was made. */
  folder?: string;
  /** The commit at which the session began. */
  commit?: string;
}

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
  const found = undefinedIfUnreadable(() => statSync(path));
  return found && `${found.size}:${found.mtimeMs}`;
}

/** Finds files exactly `depth` folders below `folder`. Files at other depths are not transcripts. */
export function findFiles(
  folder: string,
  depth: number,
  name: RegExp,
  cwdOf: (file: string) => string,
): TranscriptFile[] {
  const entries = undefinedIfUnreadable(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.flatMap((entry) => {
    const file = join(folder, entry.name);
    if (depth > 0) return entry.isDirectory() ? findFiles(file, depth - 1, name, cwdOf) : [];
    const cwd = entry.isFile() && name.test(entry.name) ? cwdOf(file) : '';
    const found = cwd === '' ? undefined : statSync(file, { throwIfNoEntry: false });
    return found === undefined ? [] : [{ file, bytes: found.size, changed: found.mtimeMs, cwd }];
  });
}

/** Finds files of JSON lines whose records have the working directory of the session. */
export const findJsonLines = (
  folder: string,
  depth: number,
  name = /\.jsonl$/,
  cwdOf = (value: Json): string => text(value.cwd),
): TranscriptFile[] => findFiles(folder, depth, name, (file) => firstText(file, cwdOf));

const maxRecordBytes = 16 * 1024 * 1024;
/** How many records of a transcript are searched for what is said once. */
const maxRecords = 200;

/** The first text that is not empty among those that `textOf` finds in the first records. */
export function firstText(file: string, textOf: (value: Json) => string): string {
  let records = 0;
  for (const line of readLines(file, 0, { maxLineBytes: maxRecordBytes })) {
    const found = textOf((line.bytes && parseObject(line.bytes.toString('utf8'))) ?? {});
    if (found !== '') return found;
    records += 1;
    if (records >= maxRecords) break;
  }
  return '';
}
