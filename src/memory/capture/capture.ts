import { isAbsolute } from 'node:path';
import type { Observation } from '../../agents/agent.ts';
import type { Clock } from '../../base/clock.ts';
import { isoTime } from '../../base/clock.ts';
import { matchesGlob } from '../../base/glob.ts';
import { sha256 } from '../../base/ids.ts';
import { pathInCheckout, resolveLocal } from '../../base/path-in-checkout.ts';
import type { EventContext, EventEnvelope } from '../../domain/event.ts';
import { eventVersion } from '../../domain/event.ts';
import { realPath } from '../../git/git-dir.ts';
import { linesHash } from '../../text/file-lines.ts';
import { splitPrompt } from '../../text/prompt-blocks.ts';
import { roughTokens } from '../../text/tokens.ts';
import { withoutPrintedSecret } from '../redact/printed-secret.ts';
import type { Redactor } from '../redact/redact.ts';
import { withoutNoise } from './strip-noise.ts';

export interface CaptureContext extends EventContext {
  /** Top of the working tree. Paths are stored relative to it. */
  root: string;
  exclude: string[];
  userHome: string;
  /** Removes secrets. One made for the project also masks the values in its own secret files. */
  redactor: Redactor;
  /** This device's key, for the hash of lines that an agent read. */
  hashKey?: string;
}

const maxRecordBytes = 16 * 1024 * 1024;
const keptEndLength = 64 * 1024;

let lastSeq = 0;

/**
 * The sequence number of an event: the time in microseconds, strictly increasing within a process, even if the clock
 * stops or is set back.
 */
export function nextSeq(clock: Clock): number {
  lastSeq = Math.max(lastSeq + 1, clock.now() * 1000);
  return lastSeq;
}

/** Turns an observation into an event: redacted, with relative paths and bounded size. Undefined if it is excluded or invalid. */
export function toEvent(
  observation: Observation,
  context: CaptureContext,
  clock: Clock,
): EventEnvelope | undefined {
  const { id, kind, body, origin, trust, at, source, agentSession, agentVersion, branch } = observation;
  const { root, exclude, userHome, redactor, hashKey, ...envelope } = context;
  const placed = withoutPrintedSecret(relativeBody(withSeen(observation, hashKey), root));
  if (isExcluded(body, placed, exclude, userHome)) return undefined;
  const reportedAt = Date.parse(at ?? '');
  const isSubagent = 'subagent' in body && body.subagent !== undefined;
  const clean = observation.isRedacted === true ? redactRest(placed, redactor) : redactor.redactDeep(placed);
  const event = {
    v: eventVersion,
    id,
    at: isoTime(Number.isNaN(reportedAt) ? clock.now() : reportedAt),
    seq: nextSeq(clock),
    ...envelope,
    branch: redactor.redact(envelope.branch),
    ...(agentSession === undefined || agentSession === '' ? {} : { agentSession }),
    ...(agentVersion === undefined || agentVersion === '' ? {} : { agentVersion }),
    // A transcript records which branch was checked out at the time, but not which commit, so HEAD stays empty.
    ...(branch === undefined ? {} : { branch: redactor.redact(branch), head: '' }),
    ...(isSubagent ? { parentAgent: agentSession ?? context.agentSession } : {}),
    origin,
    trust,
    ...(source === undefined ? {} : { source: { ...source, file: withTilde(source.file, userHome) } }),
    kind,
    // Redact before stripping noise: a rule would not recognise a truncated secret.
    body: withBlocks(withoutNoise(clean), observation, redactor),
  } as EventEnvelope;
  return withinLimit(event);
}

/** The blocks of longer texts are found again by their form. */
const maxSplitLength = 1024 * 1024;

/** Decides once which parts of a prompt a person typed. Everything later names its blocks. */
function withBlocks(
  body: Observation['body'],
  { kind, pasted, added = [] }: Observation,
  redactor: Redactor,
): Observation['body'] {
  if (kind !== 'prompt' || !('text' in body) || body.text.length > maxSplitLength) return body;
  const asStored = (part: string): string => withoutNoise({ text: redactor.redact(part) }).text;
  const blocks = splitPrompt(body.text, {
    added: added.map(asStored),
    ...(pasted === undefined ? {} : { pasted: pasted.map(asStored) }),
  });
  return blocks.length < 2 && blocks[0]?.not === undefined ? body : { ...body, blocks };
}

/** Redacts what stands beside a prompt's or answer's text, which is redacted already because its id is made from it. */
function redactRest(body: Observation['body'], redactor: Redactor): Observation['body'] {
  if (!('text' in body)) return redactor.maskDeep(body);
  const { text, ...rest } = body;
  return { ...redactor.redactDeep(rest), text: redactor.maskDeep(text) } as Observation['body'];
}

function withSeen({ body, seen = '' }: Observation, key: string | undefined): Observation['body'] {
  if (!('hash' in body && 'startLine' in body) || key === undefined || body.lines === 0 || seen === '')
    return body;
  return { ...body, hash: linesHash(key, seen.split('\n')), tokens: roughTokens(seen) };
}

/** A pattern may be relative to the project (`*.pem`) or absolute (`~/keys/**`). */
function isExcluded(
  body: Observation['body'],
  placed: Observation['body'],
  exclude: string[],
  userHome: string,
): boolean {
  const paths = [body, placed].flatMap((one) => ('path' in one ? [one.path] : []));
  return exclude.some((glob) => paths.some((path) => matchesGlob(path, glob, userHome)));
}

function relativeBody<T extends Observation['body']>(body: T, root: string): T {
  if (!('path' in body) || !isAbsolute(body.path)) return body;
  return { ...body, path: placeInCheckout(body.path, root) };
}

/**
 * The root of a checkout is its real name. An agent can name a file through a link to a folder above it, and on Windows
 * and macOS in another case. The event has the name on disk, so that a file has one name. A link inside the checkout
 * keeps its own name.
 */
function placeInCheckout(path: string, root: string): string {
  const written = pathInCheckout(path, root);
  const isOutside = isAbsolute(written);
  if (!isOutside && process.platform === 'linux') return written;
  const real = realPath(resolveLocal(root, path));
  if (real === undefined) return written;
  const found = pathInCheckout(real, root);
  if (isOutside) return isAbsolute(found) ? written : found;
  return found.toLowerCase() === written.toLowerCase() ? found : written;
}

/** Paths in the home folder are stored with `~`, because the home folder differs between machines. */
export const withTilde = (path: string, userHome: string): string =>
  path.startsWith(`${userHome}/`) || path.startsWith(`${userHome}\\`)
    ? `~${path.slice(userHome.length)}`
    : path;

export const withoutTilde = (path: string, userHome: string): string =>
  path.startsWith('~') ? userHome + path.slice(1) : path;

/** Real ids and names are short. Longer ones would exceed the size limit of a line and cannot be truncated. */
const maxNameLength = 10_000;

/** Replaces a body that is too large by its beginning, end, length and hash. */
function withinLimit(event: EventEnvelope): EventEnvelope | undefined {
  if (namesOf(event).some((name) => name.length > maxNameLength)) return undefined;
  const long = 'text' in event.body ? event.body.text : undefined;
  // Nothing to do if the line cannot be too long: the limit is on the encoded line, and JSON needs up to six bytes per
  // character.
  if (long !== undefined && long.length <= maxRecordBytes / 6) return event;
  const encoded = JSON.stringify(event.body);
  if (Buffer.byteLength(encoded) <= maxRecordBytes) return event;
  const whole = long ?? encoded;
  return { ...event, ...oversize(event.kind, whole, 'turn' in event.body ? event.body.turn : undefined) };
}

function namesOf({ at, agentSession, agentVersion, branch, source, body }: EventEnvelope): string[] {
  const subagent = 'subagent' in body ? body.subagent : undefined;
  const turn = 'turn' in body ? body.turn : undefined;
  const inBody = [turn ?? '', subagent?.id ?? '', subagent?.type ?? ''];
  return [at, agentSession, agentVersion, branch, source?.file ?? '', ...inBody];
}

function oversize(of: string, whole: string, turn: string | undefined) {
  const body = {
    of,
    length: Buffer.byteLength(whole),
    hash: sha256(whole).slice(0, 32),
    head: whole.slice(0, keptEndLength).toWellFormed(),
    tail: whole.slice(-keptEndLength).toWellFormed(),
    ...(turn === undefined ? {} : { turn }),
  };
  return { kind: 'oversize' as const, body };
}
