import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { systemCodeOf } from '../base/errors.ts';
import type { AgentName } from '../domain/event.ts';
import type { TranscriptCursor, TranscriptStep } from './agent.ts';
import { readClaudeTranscript, subagentFolder } from './claude-transcript.ts';
import { readCodexRollout } from './codex-rollout.ts';
import {
  openCodeStamp,
  openCodeSubagents,
  parseOpenCodeName,
  readOpenCodeSession,
} from './opencode-transcript.ts';
import { readPiSession } from './pi-transcript.ts';

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
}

const jsonLines: Pick<TranscriptSource, 'companions' | 'fileOf' | 'stamp'> = {
  companions: () => [],
  fileOf: (name) => (name.endsWith('.jsonl') ? name : undefined),
  stamp: fileStamp,
};

export const transcriptSources: Partial<Record<AgentName, TranscriptSource>> = {
  'claude-code': { ...jsonLines, read: readClaudeTranscript, companions: subagentFiles },
  codex: { ...jsonLines, read: readCodexRollout },
  opencode: {
    read: readOpenCodeSession,
    companions: openCodeSubagents,
    fileOf: (name) => parseOpenCodeName(name)?.database,
    stamp: openCodeStamp,
  },
  pi: { ...jsonLines, read: readPiSession },
};

function fileStamp(path: string): string | undefined {
  try {
    const { size, mtimeMs } = statSync(path);
    return `${size}:${mtimeMs}`;
  } catch {
    return undefined;
  }
}

function subagentFiles(transcript: string): string[] {
  const folder = subagentFolder(transcript);
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
    return names.sort().map((name) => join(folder, name));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCodeOf(error) ?? '')) return [];
    throw error;
  }
}
