import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Observation } from '../agents/agent.ts';
import { readClaudeTranscript, subagentFolder } from '../agents/claude-transcript.ts';
import type { Clock } from '../base/clock.ts';
import { systemCodeOf } from '../base/errors.ts';
import { keyedHash } from '../base/ids.ts';
import type { HomePaths } from '../base/paths.ts';
import type { EventEnvelope } from '../domain/event.ts';
import type { EventLog } from '../store/events/event-log.ts';
import type { LogIndex } from '../store/store.ts';
import { type CaptureContext, toEvent, withoutTilde, withTilde } from './capture.ts';
import type { Device } from './device.ts';
import { resolvePlace } from './projects.ts';
import { redact } from './redact.ts';

/**
 * Reads the transcripts of the project's agent sessions from where the log left off and appends what is new.
 * The index tells which records the log has already, so the index must be caught up first.
 */
export interface IngestParts {
  project: string;
  paths: HomePaths;
  log: EventLog;
  index: LogIndex;
  device: Device;
  actor: string;
  exclude: string[];
  userHome: string;
  /** Folders that transcripts may be read from; a hook's word alone does not make a file a transcript. */
  transcriptRoots: string[];
  clock: Clock;
}

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
  for (const file of transcriptFiles(parts, [...cursors.keys()])) {
    const path = withoutTilde(file, parts.userHome);
    const stamp = stampOf(path);
    if (stamp === undefined || stamps.get(file) === stamp) continue;
    const from = cursors.get(file) ?? { offset: 0, turn: '' };
    const writer = createWriter(parts);
    let isComplete = true;
    for (const step of readClaudeTranscript(path, file, from, redact)) {
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

/** The sessions' own files and, beside each, those of its subagents. */
function transcriptFiles(parts: IngestParts, known: string[]): string[] {
  const files = new Set<string>();
  for (const file of known) {
    const path = withoutTilde(file, parts.userHome);
    if (!isTranscript(path, parts.transcriptRoots)) continue;
    files.add(file);
    for (const name of namesIn(subagentFolder(path))) {
      if (name.endsWith('.jsonl')) files.add(withTilde(join(subagentFolder(path), name), parts.userHome));
    }
  }
  return [...files];
}

function isTranscript(path: string, roots: string[]): boolean {
  try {
    const real = realpathSync(path);
    const isInside = roots.some((root) => real.startsWith(realpathSync(root) + sep));
    return isInside && path.endsWith('.jsonl') && statSync(real).isFile();
  } catch {
    // Not written yet, or cleaned up by the agent after its thirty days.
    return false;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCodeOf(error) ?? '')) return [];
    throw error;
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

function createWriter(parts: IngestParts) {
  let batch: EventEnvelope[] = [];
  let size = 0;
  const added = new Set<string>();
  const contexts = new Map<string, CaptureContext>();

  const contextFor = (cwd: string): CaptureContext => {
    const known = contexts.get(cwd);
    if (known !== undefined) return known;
    const place = cwd === '' ? undefined : resolvePlace(parts.paths, cwd, parts.clock).place;
    const isHere = place?.project === parts.project;
    const context: CaptureContext = {
      device: parts.device.id,
      actor: parts.actor,
      agent: 'claude-code',
      agentVersion: '',
      agentSession: '',
      clientPid: 0,
      project: parts.project,
      checkout: isHere ? place.checkout : '',
      branch: '',
      head: '',
      root: isHere ? place.root : cwd,
      exclude: parts.exclude,
      userHome: parts.userHome,
    };
    contexts.set(cwd, context);
    return context;
  };

  return {
    async add(observation: Observation): Promise<void> {
      if (added.has(observation.id)) return;
      if ((await parts.index.events([observation.id])).has(observation.id)) return;
      if ('text' in observation.body && (await isForgotten(parts, observation.body.text))) return;
      const event = toEvent(observation, contextFor(observation.cwd ?? ''), parts.clock);
      if (event === undefined) return;
      added.add(event.id);
      batch.push(event);
      size += 'text' in event.body ? event.body.text.length + 600 : 1_000;
    },
    bytes: () => size,
    flush(): number {
      const count = batch.length;
      if (count > 0) parts.log.append(batch);
      batch = [];
      size = 0;
      return count;
    },
  };
}

/** A text that was forgotten stays so, even when it comes back under another id. */
const isForgotten = (parts: IngestParts, text: string): Promise<boolean> =>
  parts.index.isTombstoned(textHash(parts.device, text));

export const textHash = (device: Device, text: string): string => keyedHash(device.key, redact(text).trim());
