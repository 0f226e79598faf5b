import { existsSync, realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import type { TranscriptCursor } from '../../agents/agent.ts';
import type { TranscriptSource } from '../../agents/transcript-source.ts';
import { transcriptSources } from '../../agents/transcripts.ts';
import type { AgentName } from '../../domain/event.ts';
import { redact } from '../redact/redact.ts';
import { withoutTilde, withTilde } from './capture.ts';
import { createEventWriter, type IngestParts } from './event-writer.ts';

/**
 * Reads the transcripts of the project's agent sessions, from the position reached last time, and appends new events.
 * The index must be up to date first, because it knows which records the log already contains.
 */
export interface IngestLimits {
  maxBytes: number;
  isOver(): boolean;
}

const batchBytes = 4 * 1024 * 1024;

export async function readTranscripts(parts: IngestParts, limits: IngestLimits) {
  const { cursors, readNew } = await openTranscripts(parts);
  const total = { events: 0, bytes: 0, isComplete: true };
  for (const transcript of transcriptFiles(parts, cursors)) {
    const done = await readNew(transcript, { ...limits, maxBytes: limits.maxBytes - total.bytes });
    total.events += done?.events ?? 0;
    total.bytes += done?.bytes ?? 0;
    if (done?.isComplete === false) return { ...total, isComplete: false };
  }
  return total;
}

/** `readNew` reads what a transcript has more than at the last time; undefined if that is nothing. */
export async function openTranscripts(parts: IngestParts) {
  const cursors = await parts.index.transcriptCursors();
  const stamps = await parts.index.progressMarks();
  // Ids of records read so far, in all files: a forked session repeats records of another file that are not indexed
  // yet.
  const seen = new Set<string>();
  const readNew = async (transcript: TranscriptFile, limits: IngestLimits) => {
    const stamp = transcript.source.stamp(withoutTilde(transcript.file, parts.userHome));
    if (stamp === undefined || stamps.get(transcript.file) === stamp) return undefined;
    const from = cursors.get(transcript.file) ?? { offset: 0, turn: '' };
    const done = await ingestTranscript(parts, transcript, from, limits, seen);
    if (done.isComplete) await parts.index.setProgressMark(transcript.file, stamp);
    return done;
  };
  return { cursors, readNew };
}

/** Reads one file from a cursor. Events are appended in batches, so a kill loses at most the last batch. */
async function ingestTranscript(
  parts: IngestParts,
  { file, agent, source }: TranscriptFile,
  from: TranscriptCursor,
  limits: IngestLimits,
  seen: Set<string>,
) {
  const writer = createEventWriter(parts, agent, seen);
  // The size of the events is approximate.
  const done = { events: 0, bytes: 0, isComplete: true };
  const flush = () => {
    done.bytes += writer.bytes();
    done.events += writer.flush();
  };
  for (const step of source.read(withoutTilde(file, parts.userHome), file, from, redact)) {
    for (const observation of step.observations) await writer.add(observation);
    if (writer.bytes() < batchBytes) continue;
    flush();
    if (done.bytes >= limits.maxBytes || limits.isOver()) return { ...done, isComplete: false };
  }
  flush();
  return done;
}

export interface TranscriptFile {
  file: string;
  agent: AgentName;
  source: TranscriptSource;
}

function transcriptFiles(parts: IngestParts, known: Map<string, { agent: AgentName }>): TranscriptFile[] {
  const files = new Map<string, TranscriptFile>();
  for (const [file, { agent }] of known) {
    const path = withoutTilde(file, parts.userHome);
    const source = transcriptSources[agent];
    if (source === undefined || !isTranscript(source.fileOf(path), parts.transcriptRoots)) continue;
    for (const each of [path, ...source.companions(path)]) {
      const display = withTilde(each, parts.userHome);
      files.set(display, { file: display, agent, source });
    }
  }
  return [...files.values()];
}

function isTranscript(file: string | undefined, roots: string[]): boolean {
  if (file === undefined) return false;
  try {
    const real = realpathSync.native(file);
    const isInside = roots
      .filter((root) => existsSync(root))
      .some((root) => real.startsWith(realpathSync.native(root) + sep));
    return isInside && statSync(real).isFile();
  } catch {
    // The agent has not written the transcript yet, or has deleted it.
    return false;
  }
}
