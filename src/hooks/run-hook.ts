import { existsSync } from 'node:fs';
import type { HookCall } from '../agents/agent.ts';
import { readClaudeHook } from '../agents/claude-code.ts';
import { isCodexHook, readCodexHook } from '../agents/codex.ts';
import { isCursorHook, readCursorHook } from '../agents/cursor.ts';
import { isPluginCall, type readPluginCall } from '../agents/plugin-call.ts';
import type { Clock } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import { systemCodeOf } from '../base/errors.ts';
import { readJson } from '../base/files.ts';
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
import { reminderFor } from '../memory/reminder.ts';
import { createEventLog, type EventLog } from '../store/events/event-log.ts';
import { sessionStart } from './session-start.ts';

/**
 * Dependencies of a hook. A hook reads the agent's call, appends at most a few events and exits. It uses no network, no
 * model, no other process and no package. cmd/hook.ts catches everything it throws and exits 0.
 */
export interface HookParts {
  paths: HomePaths;
  clock: Clock;
  userHome: string;
  loginName: string;
  aiAgent: string;
  clientPid: number;
  /** The environment. Its credentials are masked in every event. */
  variables?: Variables;
  /** Called with each event id once the event is on disk. */
  acknowledge(id: string): void;
  startDrain(project: string): void;
  /** Loads the code that reports touched files. Most hook calls report none and do not need it. */
  loadTouchedFiles(): typeof touchedFiles;
  /** Loads the code for hook calls from OpenCode and Pi. Other agents do not need it. */
  loadPluginCalls(): typeof readPluginCall;
}

const eventsThatStartDrain: HookCall['event'][] = ['stop', 'compact', 'session-end'];

/** Returns the text for stdout: empty, or one JSON object in the agent's format. */
export function runHook(stdin: string, parts: HookParts): string {
  // Checked first, so that hooks which are checked into a repository cost almost nothing for users who have not
  // installed Backstory.
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
  // The prelude (the context that a new session receives) is rendered before this session's start is recorded, so that
  // the session is not listed as news in its own prelude.
  const output =
    call.event === 'session-start' && activation.config.prelude === 'on'
      ? sessionStart(call, place, log, parts)
      : '';
  record(withPreludeTokens(call, output), place, activation.config, log, parts);
  if (eventsThatStartDrain.includes(call.event)) parts.startDrain(place.project);
  return output || (activation.config.reminders === 'on' ? reminderOf(call, place, parts) : '');
}

/** Returns a line that asks the agent to save what the user settled in an earlier prompt, or ''. */
function reminderOf(call: HookCall, place: Place, { paths }: HookParts): string {
  const prompt = call.observations.find((observation) => observation.kind === 'prompt');
  if (prompt === undefined || call.subagent !== undefined || !call.canAddToPrompt) return '';
  const line = reminderFor(paths.project(place.project).reminders, call.agentSession, prompt.body.text);
  return line !== '' && hasRememberTool(paths.installs, call.agent) ? call.reply(line) : '';
}

/** The part of an installation record that says which tools an agent has. */
interface InstalledTools {
  agent: string;
  surface?: string;
  tools?: string;
}

/** An installation by the agent's own plugin manager has no record; it includes the tools. */
function hasRememberTool(installs: string, agent: HookCall['agent']): boolean {
  const records = readJson<{ installs?: InstalledTools[] }>(installs)?.installs ?? [];
  const own = records.filter((install) => install.agent === agent);
  return own.length === 0 || own.some(({ surface, tools }) => surface !== 'skill' && tools !== 'code');
}

const bytesPerToken = 4;

/**
 * Adds the estimated size of the prelude (the context that the session receives) to the session's start event, for the
 * statistics.
 */
function withPreludeTokens(call: HookCall, output: string): HookCall {
  if (output === '') return call;
  // Estimated from bytes: counting tokens would take longer than the rest of the hook.
  const preludeTokens = Math.ceil(Buffer.byteLength(output) / bytesPerToken);
  const observations = call.observations.map((observation) =>
    observation.kind === 'session'
      ? { ...observation, body: { ...observation.body, preludeTokens } }
      : observation,
  );
  return { ...call, observations };
}

/** Recognises the agent from the fields of its call, so that nothing has to be configured. */
function readCall(input: Json, { aiAgent, clientPid, clock, loadPluginCalls }: HookParts): HookCall {
  // Secrets are redacted by rules here, not by the secret values known on this machine: event ids are hashes of the
  // redacted text, and the transcript reader must compute the same ids.
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
    if (observation.isReplacedByTranscript === true) continue;
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

const concernsFiles = ({
  kind,
  shown,
  change,
  isReplacedByTranscript,
}: HookCall['observations'][number]): boolean =>
  kind === 'command' || shown !== undefined || change !== undefined || isReplacedByTranscript === true;
