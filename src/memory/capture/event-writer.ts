import type { Observation } from '../../agents/agent.ts';
import type { Clock } from '../../base/clock.ts';
import { keyedHash } from '../../base/ids.ts';
import type { AgentName, EventEnvelope } from '../../domain/event.ts';
import { readsByCommand } from '../../memo/shown-lines.ts';
import type { EventLog } from '../../store/events/event-log.ts';
import type { LogIndex } from '../../store/store.ts';
import type { Device } from '../projects/device.ts';
import { isSilent, silencesOf } from '../projects/pauses.ts';
import { resolvePlace } from '../projects/projects.ts';
import { type ProjectSecrets, projectRedactor } from '../redact/project-redactor.ts';
import { type CaptureContext, toEvent } from './capture.ts';

/** What everything needs that brings events in behind the hooks' back: transcripts, commits, imports. */
export interface IngestParts extends ProjectSecrets {
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

/** Collects observations that the log does not have yet, and appends them in batches. */
export function createEventWriter(parts: IngestParts, agent: AgentName, seen = new Set<string>()) {
  let batch: EventEnvelope[] = [];
  let size = 0;
  const contexts = new Map<string, CaptureContext>();
  const redactor = projectRedactor(parts);

  const contextFor = (cwd: string): CaptureContext => {
    const known = contexts.get(cwd);
    if (known !== undefined) return known;
    const place = cwd === '' ? undefined : resolvePlace(parts.paths, cwd, parts.clock).place;
    const isHere = place?.project === parts.project;
    const context: CaptureContext = {
      device: parts.device.id,
      actor: parts.actor,
      agent,
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
      hashKey: parts.device.key,
      redactor,
    };
    contexts.set(cwd, context);
    return context;
  };

  const silences = silencesOf(parts.paths, parts.project);
  let hasTombstones: boolean | undefined;

  /** What was forgotten stays so, even when it comes back under another id or in slightly other words. */
  const isForgotten = async ({ body }: EventEnvelope): Promise<boolean> => {
    hasTombstones ??= await parts.index.hasTombstones();
    if (!hasTombstones) return false;
    const superseded = 'supersedes' in body ? (body.supersedes ?? []) : [];
    const fates = await parts.index.events(superseded);
    if ([...fates.values()].some(({ state }) => state === 'forgotten')) return true;
    return 'text' in body && parts.index.isTombstoned(textHash(parts.device, body.text));
  };

  const add = async (observation: Observation): Promise<void> => {
    if (seen.has(observation.id)) return;
    if ((await parts.index.events([observation.id])).has(observation.id)) return;
    const event = toEvent(observation, contextFor(observation.cwd ?? ''), parts.clock);
    if (event === undefined || isSilent(Date.parse(event.at), silences) || (await isForgotten(event))) return;
    seen.add(event.id);
    batch.push(event);
    size += 'text' in event.body ? event.body.text.length + 600 : 1_000;
    // Where no hook did: what the command showed and the disk still has.
    const cwd = observation.cwd ?? '';
    const standing = { root: contextFor(cwd).root, cwd };
    for (const read of readsByCommand(observation, standing, true)) await add(read);
  };

  return {
    add,
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

/** Of a text as it is stored, redacted. */
export const textHash = (device: Device, text: string): string => keyedHash(device.key, text.trim());
