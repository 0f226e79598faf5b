import { existsSync, realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import { type TranscriptSource, transcriptSources } from '../agents/transcripts.ts';
import type { AgentName } from '../domain/event.ts';
import { withoutTilde, withTilde } from './capture.ts';
import { createEventWriter, type IngestParts } from './event-writer.ts';
import { redact } from './redact.ts';

/**
 * Reads the transcripts of the project's agent sessions from where the log left off and appends what is new.
 * The index tells which records the log has already, so the index must be caught up first.
 */
export interface IngestLimits {
  maxBytes: number;
  isOver(): boolean;
}

const batchBytes = 4 * 1024 * 1024;

export async function ingestTranscripts(
  parts: IngestParts,
  limits: IngestLimits,
): Promise<{ events: number; isComplete: boolean }> {
  const cursors = await parts.index.transcriptCursors();
  const stamps = await parts.index.transcriptStamps();
  let events = 0;
  let bytes = 0;
  for (const { file, agent, source } of transcriptFiles(parts, cursors)) {
    const path = withoutTilde(file, parts.userHome);
    const stamp = stampOf(path);
    if (stamp === undefined || stamps.get(file) === stamp) continue;
    const from = cursors.get(file) ?? { offset: 0, turn: '' };
    const writer = createEventWriter(parts, agent);
    let isComplete = true;
    for (const step of source.read(path, file, from, redact)) {
      for (const observation of step.observations) await writer.add(observation);
      if (writer.bytes() < batchBytes) continue;
      bytes += writer.bytes();
      events += writer.flush();
      if (bytes >= limits.maxBytes || limits.isOver()) {
        isComplete = false;
        break;
      }
    }
    bytes += writer.bytes();
    events += writer.flush();
    if (!isComplete) return { events, isComplete };
    await parts.index.markTranscript(file, stamp);
  }
  return { events, isComplete: true };
}

interface TranscriptFile {
  file: string;
  agent: AgentName;
  source: TranscriptSource;
}

/** The sessions' own files and, beside each, those that belong to it. */
function transcriptFiles(parts: IngestParts, known: Map<string, { agent: AgentName }>): TranscriptFile[] {
  const files = new Map<string, TranscriptFile>();
  for (const [file, { agent }] of known) {
    const path = withoutTilde(file, parts.userHome);
    const source = transcriptSources[agent];
    if (source === undefined || !isTranscript(path, parts.transcriptRoots)) continue;
    for (const each of [path, ...source.companions(path)]) {
      const display = withTilde(each, parts.userHome);
      files.set(display, { file: display, agent, source });
    }
  }
  return [...files.values()];
}

function isTranscript(path: string, roots: string[]): boolean {
  try {
    const real = realpathSync(path);
    const isInside = roots
      .filter((root) => existsSync(root))
      .some((root) => real.startsWith(realpathSync(root) + sep));
    return isInside && path.endsWith('.jsonl') && statSync(real).isFile();
  } catch {
    // Not written yet, or cleaned up by the agent after its thirty days.
    return false;
  }
}

function stampOf(path: string): string | undefined {
  try {
    const { size, mtimeMs } = statSync(path);
    return `${size}:${mtimeMs}`;
  } catch {
    return undefined;
  }
}
