import { agentOfClient } from '../agents/client-name.ts';
import { systemClock } from '../base/clock.ts';
import { matchesGlob } from '../base/glob.ts';
import { hashId } from '../base/hash.ts';
import { randomHex, uuidv7 } from '../base/ids.ts';
import type { CodeSearch } from '../code/code-search.ts';
import { callSessionId } from '../domain/agent-session.ts';
import type { EventContext } from '../domain/event.ts';
import type { Place } from '../domain/project.ts';
import { hasPendingHandoff } from '../handoff/work-parts.ts';
import type { McpParts, ServedAnswer, ToolSet } from '../mcp/parts.ts';
import { followMemo, openSessionMemo } from '../memo/follow-client.ts';
import { frecencyScores } from '../memo/steps.ts';
import { toEvent } from '../memory/capture/capture.ts';
import { requireActive } from '../memory/projects/activation.ts';
import { pausesOf } from '../memory/projects/pauses.ts';
import { resolvePlace } from '../memory/projects/projects.ts';
import { projectRedactor } from '../memory/redact/project-redactor.ts';
import { createPastWork } from '../pack/past-changes.ts';
import { checkedCode } from './checked-code.ts';
import type { Wiring } from './wiring.ts';

export interface McpClient {
  /** The agent's process, which started this one and also its hooks; 0 if unknown. */
  pid: number;
  agent: EventContext['agent'];
  /**
   * Session id from the environment of this process at its start. It is outdated after /clear; the hooks then report
   * the new session together with the agent's `pid`.
   */
  agentSession: string | undefined;
  /** Whether this process serves only this client. If no hook reports the client's session, its calls are one. */
  isAlone: boolean;
}

export interface McpWiring {
  cwd: string;
  tools: ToolSet;
  client: McpClient;
  openCode(place: Place): Promise<CodeSearch>;
}

/** After it a client without hooks may have started another conversation, which does not show the earlier answers. */
const maxPauseMs = 30 * 60_000;

/** The session of a client without hooks: the calls to this process. */
function createCallSession() {
  const id = callSessionId(randomHex(8));
  let last = Number.POSITIVE_INFINITY;
  const pauseEnds: number[] = [];
  return {
    pauseEnds,
    at(now: number): string {
      if (now - last > maxPauseMs) pauseEnds.push(now - 1);
      last = now;
      return id;
    },
  };
}

export function createMcpParts(wiring: Wiring, options: McpWiring): McpParts {
  const { cwd, client } = options;
  const { place, remember } = resolvePlace(wiring.paths, cwd, systemClock);
  const project = wiring.open(place.project);
  const activation = () => wiring.activation(place, cwd);
  const isOn = (): boolean => activation().on;

  const calls = createCallSession();
  const follower = followMemo(project, {
    pid: client.pid,
    ...(client.isAlone ? { byCalls: calls.at } : {}),
    ...(client.agentSession === undefined ? {} : { started: client.agentSession }),
    captureGapEnds: () => [
      ...pausesOf(wiring.paths, place.project).map(({ until }) => until ?? Number.POSITIVE_INFINITY),
      ...(isOn() ? [] : [Number.POSITIVE_INFINITY]),
      ...calls.pauseEnds,
    ],
  });

  async function contextNow(callSession = ''): Promise<EventContext> {
    return contextOf(await follower.caller({ named: callSession }, systemClock.now()));
  }

  /** The process of a client without hooks may serve several windows, so it does not identify a session. */
  const contextOf = (
    { agentSession, isByCalls }: Pick<ServedAnswer, 'agentSession' | 'isByCalls'>,
    own = ofProcess(),
  ): EventContext =>
    isByCalls
      ? { ...own, agent: agentOfClient(clientName), agentSession, clientPid: 0 }
      : { ...own, agentSession };

  async function caller(callSession: string): Promise<EventContext> {
    if (callSession !== '') return { ...ofProcess(), agentSession: callSession, clientPid: 0 };
    const calling = await follower.caller({}, systemClock.now());
    return calling.isByCalls ? contextOf(calling) : ofProcess();
  }

  async function recordServed(answers: ServedAnswer[]): Promise<void> {
    if (!isOn()) return;
    const { root } = place;
    const { userHome } = wiring;
    const capture = { root, exclude: project.exclude, userHome, redactor: projectRedactor(project) };
    // Read once for all of them: the branch and the settings are in files.
    const own = ofProcess();
    project.log.append(
      answers.flatMap((answer) => {
        const body = answer.body();
        const memo = body.memo === undefined ? {} : { memo: body.memo.filter(isNotExcluded) };
        const id = hashId('served', answer.agentSession, uuidv7(systemClock.now()));
        const served = {
          kind: 'served',
          id,
          origin: 'system',
          trust: 1,
          body: { ...body, ...memo },
        } as const;
        return toEvent(served, { ...contextOf(answer, own), ...capture }, { now: () => answer.at }) ?? [];
      }),
    );
  }

  const isNotExcluded = ({ path }: { path: string }): boolean =>
    !project.exclude.some((glob) => matchesGlob(path, glob, wiring.userHome));

  let opened: Promise<CodeSearch> | undefined;
  const code = (): Promise<CodeSearch> => {
    opened ??= options.openCode(place);
    // Do not cache a failure: the folder or git may become available later.
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  };

  const placeNow = () => resolvePlace(wiring.paths, cwd, systemClock).place;
  let clientName = '';
  const ofProcess = (): EventContext => ({
    ...wiring.context(placeNow(), isOn()),
    agent: client.agent,
    agentSession: client.agentSession ?? '',
    clientPid: client.pid,
  });

  return {
    code,
    checkedCode: checkedCode(wiring, place.root),
    frecency: () => frecencyScores(project, place.checkout, systemClock.now()),
    tools: options.tools,
    version: wiring.version,
    clock: systemClock,
    project,
    root: place.root,
    caller,
    nameClient: (name) => {
      clientName = name;
    },
    place: placeNow,
    isActive: isOn,
    isHandoffWaiting: () => hasPendingHandoff(project, place, systemClock.now()),
    pastWork: createPastWork(place.root),
    follower,
    recordServed,
    memo: (callSession) =>
      openSessionMemo(project, follower, place, { named: callSession }, systemClock.now()),
    context: contextNow,
    ensureActive: () => {
      requireActive(activation());
      remember();
    },
  };
}
