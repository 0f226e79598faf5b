import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemCodeOf } from '../base/errors.ts';
import type { AgentName } from '../domain/event.ts';
import type { TranscriptCursor, TranscriptStep } from './agent.ts';
import { readClaudeTranscript, subagentFolder } from './claude-transcript.ts';
import { readCodexRollout } from './codex-rollout.ts';

/** How each agent's own record of a session is read. */
export interface TranscriptSource {
  read(
    file: string,
    displayFile: string,
    from: TranscriptCursor,
    redact: (words: string) => string,
  ): Generator<TranscriptStep>;
  /** Further files that belong to the same session. */
  companions(file: string): string[];
}

export const transcriptSources: Partial<Record<AgentName, TranscriptSource>> = {
  'claude-code': { read: readClaudeTranscript, companions: subagentFiles },
  codex: { read: readCodexRollout, companions: () => [] },
};

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
