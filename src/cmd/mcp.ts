import { parseArgs } from 'node:util';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { systemClock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { matchesGlob } from '../base/glob.ts';
import { hashId } from '../base/hash.ts';
import { uuidv7 } from '../base/ids.ts';
import type { CodeSearch } from '../code/code-search.ts';
import type { EventContext, ServedBody } from '../domain/event.ts';
import { isHandoffWaiting } from '../handoff/waiting.ts';
import { createServer, toolSets } from '../mcp/server.ts';
import { followMemo } from '../memo/follow.ts';
import { openSessionMemo } from '../memo/session-memo.ts';
import { frecencyScores } from '../memo/steps.ts';
import { activationOf } from '../memory/activation.ts';
import { toEvent } from '../memory/capture.ts';
import { projectRedactor } from '../memory/project-redactor.ts';
import { resolvePlace } from '../memory/projects.ts';
import { silencesOf } from '../memory/silence.ts';
import { checkedCode } from './checked-code.ts';
import { startDrain } from './start-drain.ts';
import { silenceSqliteWarning, wire } from './wire.ts';

/** The MCP server on stdin and stdout. Stdout carries protocol only; it ends when the agent closes stdin. */
silenceSqliteWarning();
const { values } = parseArgs({
  options: { repo: { type: 'string' }, tools: { type: 'string' } },
  strict: false,
  allowPositionals: true,
});
const { env } = process;
const warmUpDelayMs = 1_000;
const cwd = typeof values.repo === 'string' ? values.repo : (env.CLAUDE_PROJECT_DIR ?? process.cwd());
const wiring = wire();
const { place, remember } = resolvePlace(wiring.paths, cwd, systemClock);
const project = wiring.open({ id: place.project, name: place.name });
const activation = () =>
  activationOf(wiring.paths, { ...place, cwd, userHome: wiring.userHome }, systemClock);

const isOn = (): boolean => env.BACKSTORY_OFF !== '1' && activation().on;

const follower = followMemo(project, {
  pid: process.ppid,
  // The environment names the session at start; after /clear it is another, which hooks have told by our parent's pid.
  ...(env.CLAUDE_CODE_SESSION_ID === undefined ? {} : { started: env.CLAUDE_CODE_SESSION_ID }),
  silentUntil: () => [
    ...silencesOf(wiring.paths, place.project).map(({ until }) => until ?? Number.POSITIVE_INFINITY),
    ...(isOn() ? [] : [Number.POSITIVE_INFINITY]),
  ],
});

async function contextOf(named: string): Promise<EventContext> {
  const asker = await follower.asker({ named }, systemClock.now());
  return { ...caller(), agentSession: asker.kind === 'known' ? asker.agentSession : '' };
}

async function recordServed(body: ServedBody, named: string): Promise<void> {
  if (!isOn()) return;
  const context = { ...(await contextOf(named)), root: place.root, exclude: project.exclude };
  // Somebody we know nothing else of: nothing could ever be made of it.
  if (context.agentSession === '') return;
  const id = hashId('served', context.agentSession, uuidv7(systemClock.now()));
  const isNamable = ({ path }: { path: string }) =>
    !project.exclude.some((glob) => matchesGlob(path, glob, wiring.userHome));
  const told = { ...body, ...(body.memo === undefined ? {} : { memo: body.memo.filter(isNamable) }) };
  const observation = {
    kind: 'served' as const,
    id,
    origin: 'system' as const,
    trust: 1 as const,
    body: told,
  };
  const { userHome } = wiring;
  const redactor = projectRedactor(project);
  const event = toEvent(observation, { ...context, userHome, redactor }, systemClock);
  if (event !== undefined) project.log.append([event]);
}

const frecency = () => frecencyScores(project, place.checkout, systemClock.now());

let opened: Promise<CodeSearch> | undefined;
const code = (): Promise<CodeSearch> => {
  opened ??= import('./open-code.ts').then(({ openCode }) =>
    openCode(wiring, place, { watches: true, mayWrite: isOn() }),
  );
  // What failed may work later, when the folder or git is there.
  opened.catch(() => {
    opened = undefined;
  });
  return opened;
};

const placeNow = () => resolvePlace(wiring.paths, cwd, systemClock).place;
const caller = (): EventContext => ({
  ...wiring.context(placeNow(), isOn()),
  agent: env.CLAUDECODE === '1' ? 'claude-code' : 'backstory',
  agentSession: env.CLAUDE_CODE_SESSION_ID ?? '',
  clientPid: process.ppid,
});

serveStdio(() =>
  createServer({
    code,
    checkedCode: checkedCode(wiring, place.root, () => project.device.key),
    frecency,
    tools: toolSets.find((name) => name === values.tools) ?? 'core',
    version: wiring.version,
    clock: systemClock,
    project,
    root: place.root,
    userHome: wiring.userHome,
    caller,
    place: placeNow,
    isActive: isOn,
    isHandoffWaiting: () => isHandoffWaiting(project, place, systemClock.now()),
    follower,
    recordServed,
    memo: (named) => openSessionMemo(project, follower, place, { named }, systemClock.now()),
    context: () => contextOf(''),
    ensureActive: () => {
      const state = activation();
      if (state.on) {
        remember();
        return;
      }
      throw new AppError('NOT_INSTALLED', `nothing is stored here: ${state.reason}`, {
        hint: 'backstory init',
      });
    },
  }),
);

if (isOn()) {
  startDrain(wiring.programs.drain, place.project, wiring.userHome);
  // After the agent has its tools: the first search should find an index, and nobody should wait for it.
  if (values.tools !== 'memory') setTimeout(warmUp, warmUpDelayMs).unref();
}

function warmUp(): void {
  // A failure here is told when somebody searches.
  code()
    .then((search) => search.status())
    .catch(() => {});
}
