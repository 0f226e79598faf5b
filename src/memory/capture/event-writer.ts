import type { Observation } from '../../agents/agent.ts';
import { asUntyped, firstStartId, hidesOnlyPrompt } from '../../agents/observe.ts';
import type { Clock } from '../../base/clock.ts';
import { keyedHash } from '../../base/ids.ts';
import { type AgentName, type EventEnvelope, typistOf, unconfirmed } from '../../domain/event.ts';
import { readsByCommand } from '../../memo/lines-in-output.ts';
import { type EventLog, eventAt } from '../../store/events/event-log.ts';
import type { LogIndex } from '../../store/store.ts';
import type { Device } from '../projects/device.ts';
import { isPausedAt, pausesOf } from '../projects/pauses.ts';
import { resolvePlace } from '../projects/projects.ts';
import { type ProjectSecrets, projectRedactor } from '../redact/project-redactor.ts';
import { type CaptureContext, toEvent } from './capture.ts';
import { backgroundContext } from './own-events.ts';
import { pastPrompts } from './past-transcripts.ts';

/** Dependencies of everything that writes events outside hooks: transcripts, commits and imports. */
export interface IngestParts extends ProjectSecrets {
  log: EventLog;
  index: LogIndex;
  device: Device;
  actor: string;
  exclude: string[];
  userHome: string;
  /**
   * Folders from which transcripts may be read. A hook also reports the path of a transcript, but that path is used
   * only if it is in one of these folders.
   */
  transcriptRoots: string[];
  clock: Clock;
  /** Why the prompts of an import do not count as typed, although they are from before the installation. */
  untyped?: string;
}

/** Appends observations that are not in the log yet, in batches. */
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
      ...backgroundContext(parts),
      agent,
      checkout: isHere ? place.checkout : '',
      root: isHere ? place.root : cwd,
      exclude: parts.exclude,
      userHome: parts.userHome,
      hashKey: parts.device.key,
      redactor,
    };
    contexts.set(cwd, context);
    return context;
  };

  const pauses = pausesOf(parts.paths, parts.project);

  /**
   * Returns whether the user made Backstory forget this text. It must not return, even as an event with another id.
   */
  const isForgotten = async ({ body }: EventEnvelope): Promise<boolean> => {
    const superseded = 'supersedes' in body ? (body.supersedes ?? []) : [];
    const rows = await parts.index.events(superseded);
    if ([...rows.values()].some(({ state }) => state === 'forgotten')) return true;
    return 'text' in body && parts.index.isTombstoned(textHash(parts.device, body.text));
  };

  const isPast = pastPrompts(parts.paths.pastTranscripts, parts.userHome);

  /**
   * A transcript does not say who typed a prompt. The hook's event does, and the transcript's replaces it. Without one,
   * the prompt is the user's only if the transcript had it before the installation.
   */
  const withTypist = async (observation: Observation): Promise<Observation> => {
    if (observation.kind !== 'prompt' || observation.trust < 2) return observation;
    const reported = isPast(observation)
      ? { isTyped: parts.untyped === undefined, reason: parts.untyped }
      : await reportedPrompt(parts, agent, observation);
    if (reported?.isTyped === true)
      return observation.body.isPlan === true
        ? { ...observation, origin: 'assistant', trust: 1 }
        : observation;
    return asUntyped(observation, reported?.reason ?? unconfirmed.notReported);
  };

  const add = async (read: Observation): Promise<void> => {
    if (seen.has(read.id)) return;
    if ((await parts.index.events([read.id])).has(read.id)) return;
    const observation = await withTypist(read);
    const event = toEvent(observation, contextFor(observation.cwd ?? ''), parts.clock);
    if (event === undefined || isPausedAt(Date.parse(event.at), pauses) || (await isForgotten(event))) return;
    seen.add(event.id);
    batch.push(event);
    size += 'text' in event.body ? event.body.text.length + 600 : 1_000;
    // This event did not come through a hook, so which files a shell command read is determined here: a file counts as
    // read if the output still matches it on disk.
    const cwd = observation.cwd ?? '';
    for (const shown of readsByCommand(observation, { root: contextFor(cwd).root, cwd }, true))
      await add(shown);
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

/** A hook records a prompt before it is in the transcript, but perhaps after the log was indexed. */
const maxDrainMs = 10 * 60_000;
/** The only prompt of a run is in its transcript this soon after the hook of its start. */
const maxStartMs = 10_000;

/** What a hook, or an earlier import, found about who typed a prompt. */
async function reportedPrompt(
  { index, log, clock }: Pick<IngestParts, 'index' | 'log' | 'clock'>,
  agent: AgentName,
  {
    id: own,
    body: { supersedes = [] },
    at = '',
    agentSession = '',
  }: Extract<Observation, { kind: 'prompt' }>,
): Promise<{ isTyped: boolean; reason?: string | undefined } | undefined> {
  const start = hidesOnlyPrompt(agent) ? [firstStartId(agent, agentSession)] : [];
  const ids = [own, ...supersedes, ...start];
  const verdictOf = (event: EventEnvelope | undefined) => {
    if (event === undefined || !ids.includes(event.id)) return undefined;
    if (event.kind === 'prompt' && event.body.untyped === unconfirmed.perhapsExpanded)
      return { isTyped: true };
    if (event.kind === 'prompt' && typistOf(event) === 'unconfirmed') return undefined;
    if (event.kind === 'prompt') return { isTyped: event.trust === 2, reason: event.body.untyped };
    const isFirst = Math.abs(Date.parse(at) - Date.parse(event.at)) <= maxStartMs;
    return event.kind === 'session' && isFirst
      ? { isTyped: event.body.untyped === undefined, reason: event.body.untyped }
      : undefined;
  };
  for (const row of (await index.events(ids)).values()) {
    const verdict = row.file === '' ? undefined : verdictOf(eventAt(log, row));
    if (verdict !== undefined) return verdict;
  }
  if (clock.now() - Date.parse(at) > maxDrainMs) return undefined;
  const isWanted = (line: Buffer): boolean => ids.some((id) => line.includes(id));
  for (const { entry } of log.read(await index.progress(), isWanted)) {
    const verdict = entry.kind === 'event' ? verdictOf(entry.event) : undefined;
    if (verdict !== undefined) return verdict;
  }
  return undefined;
}

/** Keyed hash of a text as stored, after redaction. */
export const textHash = (device: Device, text: string): string => keyedHash(device.key, text.trim());
