import type { HookCall } from '../agents/agent.ts';
import { readClaudeHook } from '../agents/claude-code/hook.ts';
import { readCodexHook } from '../agents/codex/hook.ts';
import { dialects } from '../agents/dialects.ts';
import { asUntyped, hidesOnlyPrompt } from '../agents/observe.ts';
import { recognise } from '../agents/recognise.ts';
import type { Clock } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import { systemCodeOf } from '../base/errors.ts';
import { type Json, parseObject, text } from '../base/json.ts';
import { localPath } from '../base/path-in-checkout.ts';
import type { EventEnvelope } from '../domain/event.ts';
import type { Place } from '../domain/project.ts';
import { type CaptureContext, toEvent } from '../memory/capture/capture.ts';
import type { Compared, EndedCommand } from '../memory/capture/compare-files.ts';
import { recordLostWrite } from '../memory/capture/lost-writes.ts';
import { activationOf } from '../memory/projects/activation.ts';
import { cachedPlace, knownPlace } from '../memory/projects/cached-place.ts';
import { deviceOf } from '../memory/projects/device.ts';
import type { Resolved } from '../memory/projects/projects.ts';
import type { Variables } from '../memory/redact/env-secrets.ts';
import { lazyRedactor } from '../memory/redact/lazy-redactor.ts';
import { createEventLog, type EventLog } from '../store/events/event-log.ts';
import type { PromptParts } from './prompt.ts';
import { sessionStart } from './session-start.ts';

/**
 * Dependencies of a hook. A hook reads the agent's call, appends at most a few events and exits. It uses no network, no
 * model, no other process and no package. cmd/hook.ts catches everything it throws and exits 0.
 */
export interface HookParts extends PromptParts {
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
  /** Lets another process look which lines the commands wrote; `later` if it is enough at the next tool. */
  compareFiles(place: Compared, commands: EndedCommand[] | 'later'): void;
  /** Loads the rules for secrets, which are most of the code. Events without free text do not need them. */
  loadRedaction(): typeof import('./redaction.ts');
  /** Loads the code that finds the project of a folder with git. Later calls in a folder do not need it. */
  loadPlaces(): Pick<typeof import('../memory/projects/projects.ts'), 'resolvePlace'>;
  /** Loads the code that reports touched files. Most hook calls report none and do not need it. */
  loadTouchedFiles(): typeof import('../memo/touched-files.ts').touchedFiles;
  /** Loads the code that compares tool calls with rules. Only calls before a tool and compactions need it. */
  loadRules(): typeof import('./before-tool.ts');
  /** Loads the code that answers prompts and the starts of subagents. */
  loadPrompts(): typeof import('./prompt.ts');
  /** Loads the code that says why no person typed a prompt. Only prompts need it. */
  loadTyped(): ReturnType<typeof import('./typed.ts').createTyped>;
  /** Loads the code for hook calls of the agents that run-hook.ts does not name. */
  loadOtherAgents(): typeof import('../agents/other-hooks.ts').readOtherHook;
}

const eventsThatStartDrain: HookCall['event'][] = ['stop', 'compact', 'session-end'];

/**
 * Returns the text for stdout: empty, or one JSON object in the agent's format. Only a prompt about which something is
 * recalled gives a promise.
 */
export function runHook(stdin: string, parts: HookParts): string | Promise<string> {
  const input = parseObject(stdin);
  if (input === undefined) throw new Error(`stdin is not a JSON object (${stdin.length} characters)`);
  const read = readCall(input, parts);
  const call = { ...withoutUntyped(read, parts), cwd: localPath(read.cwd) };
  if (call.event === 'ignored' || call.cwd === '' || call.agentSession === '') return '';
  if (call.event === 'before-tool') return answerBeforeTool(input, call, parts);
  const { place, remember } = placeOf(call, parts);
  const activation = activationOf(
    parts.paths,
    { ...place, cwd: call.cwd, userHome: parts.userHome },
    parts.clock,
  );
  if (!activation.on) return '';
  remember?.();
  const log = createEventLog(parts.paths.project(place.project).events, parts.clock);
  // The prelude is rendered before this session's start is recorded, so that the session is not listed as news in its
  // own prelude.
  const prelude =
    activation.config.tell.includes('prelude') && isPreludeDue(call, place, parts)
      ? sessionStart(call, place, log, parts)
      : '';
  record(withPreludeTokens(call, prelude), place, activation.config, log, parts);
  if (call.event === 'compact')
    parts.loadRules().forgetTold(parts.paths.project(place.project).toldSessions, call.agentSession);
  if (eventsThatStartDrain.includes(call.event)) parts.startDrain(place.project);
  const reply = (text: string): string => {
    const all = [prelude, text].filter((part) => part !== '').join('\n');
    return all === '' ? '' : call.reply(all);
  };
  const context = contextOf(call, place, activation.config, parts);
  // The agent waits for the answer to a prompt, so a process is started only if that takes time anyway.
  const isDue = call.event === 'tool' || typeof context !== 'string';
  if ((isDue || call.event === 'prompt') && place.head !== '') {
    const { project, checkout, root } = place;
    const compared = { project, checkout, root, exclude: activation.config.exclude };
    parts.compareFiles(compared, isDue ? endedCommands(call, parts.clock.now()) : 'later');
  }
  if (typeof context === 'string') return reply(context);
  return context.then(reply, (error) => {
    parts.loadRedaction().recordFailure(parts.paths.failures, 'hook', error, parts.clock);
    return reply('');
  });
}

/** The hook runs a little after the command. */
const hookDelayMs = 500;

const endedCommands = ({ observations, tookMs }: HookCall, until: number): EndedCommand[] => {
  const from = tookMs === undefined ? {} : { from: until - tookMs - hookDelayMs };
  return observations.flatMap(({ kind, id }) => (kind === 'command' ? [{ id, ...from, until }] : []));
};

function withoutUntyped(call: HookCall, { loadTyped }: HookParts): HookCall {
  const isStart = call.event === 'session-start' && hidesOnlyPrompt(call.agent);
  const isPrompt = call.observations.some(({ kind }) => kind === 'prompt');
  const reason = isStart || isPrompt ? loadTyped()(call) : undefined;
  if (reason === undefined) return call;
  const observations = call.observations.map((one) =>
    one.kind === 'session' && !isStart ? one : asUntyped(one, reason),
  );
  return { ...call, observations };
}

/** Whether the output of this call is the first of the session that the model sees. */
function isPreludeDue(call: HookCall, place: Place, parts: HookParts): boolean {
  const { prelude } = dialects[call.agent];
  if (prelude === 'session-start') return call.event === 'session-start';
  if (call.event !== 'tool' || call.subagent !== undefined) return false;
  return parts.loadRules().claimPrelude(parts.paths.project(place.project).toldSessions, call.agentSession);
}

function placeOf(
  call: HookCall,
  { paths, clock, loadPlaces }: HookParts,
): Pick<Resolved, 'place'> & Partial<Resolved> {
  const place = knownPlace(paths, call.cwd);
  return place === undefined ? loadPlaces().resolvePlace(paths, call.cwd, clock) : { place };
}

/** What is told about a prompt, or to a subagent that starts. Most calls are neither. */
function contextOf(call: HookCall, place: Place, config: Config, parts: HookParts): string | Promise<string> {
  // OpenCode and Pi send the first prompt together with the start of the session.
  if (call.observations.some(({ kind, body }) => kind === 'prompt' && !('asked' in body)))
    return parts.loadPrompts().promptContext(call, place, { ...parts, config });
  if (call.event !== 'subagent-start' || !config.tell.includes('prompt')) return '';
  return parts.loadPrompts().subagentContext(call, place, parts);
}

/** The tool of Claude Code that starts a subagent; newer versions call it `Agent`. */
const startingTool = /^(?:Task|Agent)$/;

/** The agent waits for the answer, so nothing is recorded and no process started. */
function answerBeforeTool(input: Json, call: HookCall, parts: HookParts): string | Promise<string> {
  const place = cachedPlace(parts.paths, call.cwd);
  if (place === undefined) return '';
  const where = { ...place, cwd: call.cwd, userHome: parts.userHome };
  const activation = activationOf(parts.paths, where, parts.clock);
  if (!activation.on) return '';
  const { tell } = activation.config;
  if (startingTool.test(text(input.tool_name)))
    return !tell.includes('prompt') || parts.loadRecall === undefined
      ? ''
      : parts.loadPrompts().prepareSubagent(input, call, place, { ...parts, recall: parts.loadRecall() });
  if (!tell.includes('rules')) return '';
  return parts.loadRules().beforeTool(input, call, place, parts.paths);
}

const bytesPerToken = 4;

/** Adds the estimated size of the prelude to the session's start event, for the statistics. */
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

function readCall(input: Json, parts: HookParts): HookCall {
  const { aiAgent, clientPid, clock, userHome, variables = {}, loadOtherAgents, loadRedaction } = parts;
  // Secrets are redacted by rules here, not by the secret values known on this machine: event ids are hashes of the
  // redacted text, and the transcript reader must compute the same ids.
  const redact = (text: string): string => loadRedaction().redact(text);
  const environment = { aiAgent, clientPid, nowMs: clock.now(), userHome, variables, redact };
  const caller = recognise(input);
  switch (caller) {
    case 'claude-code':
      return readClaudeHook(input, environment);
    case 'codex':
      return readCodexHook(input, environment);
    default:
      return loadOtherAgents()(caller, input, environment);
  }
}

function record(call: HookCall, place: Place, config: Config, log: EventLog, parts: HookParts): void {
  const device = deviceOf(parts.paths.device);
  const { agent, agentVersion, agentSession, clientPid } = call;
  const { project, checkout, branch, head, root } = place;
  const context: CaptureContext = {
    device: device.id,
    hashKey: device.key,
    actor: config.actor || parts.loginName,
    ...{ agent, agentVersion, agentSession, clientPid },
    ...{ project, checkout, branch, head, root },
    exclude: config.exclude,
    userHome: parts.userHome,
    redactor: lazyRedactor(() => parts.loadRedaction().projectRedactor({ ...parts, project }, root)),
  };
  const events: EventEnvelope[] = [];
  const touching = { place, cwd: call.cwd, agentSession, log, key: device.key };
  const observations = call.observations.some(concernsFiles)
    ? parts.loadTouchedFiles()(call.observations, touching)
    : call.observations;
  for (const observation of observations) {
    if (observation.isReplacedByTranscript === true) continue;
    const event = toEvent(observation, context, parts.clock);
    if (event !== undefined) events.push(event);
  }
  try {
    log.append(events);
  } catch (error) {
    const lost = { project, at: parts.clock.now(), events: events.length };
    recordLostWrite(parts.paths.lostWrites, { ...lost, code: systemCodeOf(error) ?? 'unknown' }, process.pid);
    throw error;
  }
  for (const { id } of events) parts.acknowledge(id);
}

const concernsFiles = ({ kind, shown, change }: HookCall['observations'][number]): boolean =>
  kind === 'command' || shown !== undefined || change !== undefined;
