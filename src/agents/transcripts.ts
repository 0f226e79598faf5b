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
 * How each agent's own record of a session is read. It goes by a name, which for most agents is a file's path
 * and for others says what to look for in a file.
 */
export interface TranscriptSource {
  read(
    name: string,
    displayName: string,
    from: TranscriptCursor,
    redact: (words: string) => string,
  ): Generator<TranscriptStep>;
  /** Names of further transcripts that belong to the same session. */
  companions(name: string): string[];
  /** The file on disk that holds it; undefined when the name is not one of this agent's. */
  fileOf(name: string): string | undefined;
  /** Changes whenever there is more to read; undefined when there is nothing. */
  stamp(name: string): string | undefined;
}

const lines: Pick<TranscriptSource, 'companions' | 'fileOf' | 'stamp'> = {
  companions: () => [],
  fileOf: (name) => (name.endsWith('.jsonl') ? name : undefined),
  stamp: fileStamp,
};

export const transcriptSources: Partial<Record<AgentName, TranscriptSource>> = {
  'claude-code': { ...lines, read: readClaudeTranscript, companions: subagentFiles },
  codex: { ...lines, read: readCodexRollout },
  opencode: {
    read: readOpenCodeSession,
    companions: openCodeSubagents,
    fileOf: (name) => parseOpenCodeName(name)?.database,
    stamp: openCodeStamp,
  },
  pi: { ...lines, read: readPiSession },
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
