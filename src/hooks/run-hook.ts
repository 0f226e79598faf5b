import { existsSync } from 'node:fs';
import type { HookCall } from '../agents/agent.ts';
import { readClaudeHook } from '../agents/claude-code.ts';
import { isCodexHook, readCodexHook } from '../agents/codex.ts';
import { isCursorHook, readCursorHook } from '../agents/cursor.ts';
import { isPluginCall, type readPluginCall } from '../agents/plugin-call.ts';
import type { Clock } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import { systemCodeOf } from '../base/errors.ts';
import { type Json, parseObject } from '../base/json.ts';
import type { HomePaths } from '../base/paths.ts';
import type { EventEnvelope } from '../domain/event.ts';
import type { Place } from '../domain/project.ts';
import type { touchedFiles } from '../memo/touched-files.ts';
import { type CaptureContext, toEvent } from '../memory/capture/capture.ts';
import { recordLostWrite } from '../memory/capture/lost-writes.ts';
import { activationOf } from '../memory/projects/activation.ts';
import { deviceOf } from '../memory/projects/device.ts';
import { resolvePlace } from '../memory/projects/projects.ts';
import type { Variables } from '../memory/redact/env-secrets.ts';
import { projectRedactor } from '../memory/redact/project-redactor.ts';
import { redact } from '../memory/redact/redact.ts';
import { createEventLog, type EventLog } from '../store/events/event-log.ts';
import { sessionStart } from './session-start.ts';

/**
 * What an agent triggers. A hook reads its call, appends at most a few lines, and ends; it needs no network,
 * no model, no other process and no package. Everything it throws is caught by cmd/hook.ts, which exits 0.
 */
export interface HookParts {
  paths: HomePaths;
  clock: Clock;
  userHome: string;
  loginName: string;
  aiAgent: string;
  clientPid: number;
  /** The environment, whose credentials are masked wherever they are said. */
  variables?: Variables;
  /** Told of every event id once it is safely on disk. */
  acknowledge(id: string): void;
  startDrain(project: string): void;
  /** Loaded when a tool touched files; most calls of a hook are about none. */
  loadTouchedFiles(): typeof touchedFiles;
  /** Loaded when OpenCode or Pi speak. */
  loadPluginCalls(): typeof readPluginCall;
}

/** The events after which there is background work worth starting. */
const drainAfter: HookCall['event'][] = ['stop', 'compact', 'session-end'];

/** Returns what goes to stdout: nothing, or one JSON object in the agent's dialect. */
export function runHook(stdin: string, parts: HookParts): string {
  // Before anything else: a repository's own hooks must cost a user who never installed us next to nothing.
  if (!existsSync(parts.paths.installs)) return '';
  const input = parseObject(stdin);
  if (input === undefined) throw new Error(`stdin is not a JSON object (${stdin.length} characters)`);
  const call = readCall(input, parts);
  if (call.event === 'ignored' || call.cwd === '' || call.agentSession === '') return '';
  const { place, remember } = resolvePlace(parts.paths, call.cwd, parts.clock);
  const activation = activationOf(
    parts.paths,
    { ...place, cwd: call.cwd, userHome: parts.userHome },
    parts.clock,
  );
  if (!activation.on) return '';
  remember();
  const log = createEventLog(parts.paths.project(place.project).events, parts.clock);
  // Rendered before this session's own start is written, which would otherwise be news to itself.
  const output =
    call.event === 'session-start' && activation.config.prelude === 'on'
      ? sessionStart(call, place, log, parts)
      : '';
  record(withPrelude(call, output), place, activation.config, log, parts);
  if (drainAfter.includes(call.event)) parts.startDrain(place.project);
  return output;
}

const bytesPerToken = 4;

/** About how much a session was told is part of its start, so that what memory costs can be told. */
function withPrelude(call: HookCall, output: string): HookCall {
  if (output === '') return call;
  // By its bytes: to count properly would take a hook longer than all else it does here.
  const preludeTokens = Math.ceil(Buffer.byteLength(output) / bytesPerToken);
  const observations = call.observations.map((observation) =>
    observation.kind === 'session'
      ? { ...observation, body: { ...observation.body, preludeTokens } }
      : observation,
  );
  return { ...call, observations };
}

/** Which agent is speaking shows in what it says; nothing has to be configured. */
function readCall(input: Json, { aiAgent, clientPid, clock, loadPluginCalls }: HookParts): HookCall {
  // By rules alone: ids are made from its result, and the transcript's reader must come to the same ones.
  const environment = { aiAgent, clientPid, nowMs: clock.now(), redact };
  if (isPluginCall(input)) return loadPluginCalls()(input, environment);
  if (isCursorHook(input)) return readCursorHook(input, environment);
  return isCodexHook(input) ? readCodexHook(input, environment) : readClaudeHook(input, environment);
}

function record(call: HookCall, place: Place, config: Config, log: EventLog, parts: HookParts): void {
  const device = deviceOf(parts.paths.device);
  const context: CaptureContext = {
    device: device.id,
    hashKey: device.key,
    actor: config.actor || parts.loginName,
    agent: call.agent,
    agentVersion: call.agentVersion,
    agentSession: call.agentSession,
    clientPid: call.clientPid,
    project: place.project,
    checkout: place.checkout,
    branch: place.branch,
    head: place.head,
    root: place.root,
    exclude: config.exclude,
    userHome: parts.userHome,
    redactor: projectRedactor({ ...parts, project: place.project }, place.root),
  };
  const events: EventEnvelope[] = [];
  const touching = { place, cwd: call.cwd, agentSession: call.agentSession, log, key: device.key };
  const observations = call.observations.some(concernsFiles)
    ? parts.loadTouchedFiles()(call.observations, touching)
    : call.observations;
  for (const observation of observations) {
    if (observation.isToldLater === true) continue;
    const isProvisional = observation.kind === 'prompt' || observation.kind === 'answer';
    const event = toEvent(observation, { ...context, isProvisional }, parts.clock);
    if (event !== undefined) events.push(event);
  }
  if (events.length === 0) return;
  try {
    log.append(events);
  } catch (error) {
    const lost = { project: place.project, at: parts.clock.now(), events: events.length };
    recordLostWrite(parts.paths.lostWrites, { ...lost, code: systemCodeOf(error) ?? 'unknown' }, process.pid);
    throw error;
  }
  for (const { id } of events) parts.acknowledge(id);
}

const concernsFiles = ({ kind, shown, change, isToldLater }: HookCall['observations'][number]): boolean =>
  kind === 'command' || shown !== undefined || change !== undefined || isToldLater === true;
