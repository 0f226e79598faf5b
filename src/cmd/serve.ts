/** `backstory serve`: HTTP server for this machine only, one per user. It exits after a time without requests. */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '../base/clock.ts';
import { AppError, messageOf } from '../base/errors.ts';
import {
  ensureToken,
  readServeState,
  removeServeState,
  serveFiles,
  writeServeState,
} from '../base/serve-files.ts';
import type { CodeSearch } from '../code/code-search.ts';
import type { Place, Project } from '../domain/project.ts';
import type { CheckedCode } from '../drift/current-code.ts';
import { watchIdle } from '../http/idle-shutdown.ts';
import type { HttpParts } from '../http/parts.ts';
import { startServer } from '../http/server.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import { resolvePlace } from '../memory/projects/projects.ts';
import { tryWriterLock } from '../store/sqlite/writer-lock.ts';
import { checkedCode } from './checked-code.ts';
import type { createMcpOverHttp } from './mcp-over-http.ts';
import { startDrain } from './start-drain.ts';
import { print, printVerbatim, reportError } from './terminal.ts';
import { wire } from './wiring.ts';

const usage = 'backstory serve [--port N | --socket FILE] [--idle MINUTES|never] [--new-token]';
const optionHelp = `  --port N          Port to listen on. Default: any free port.
  --socket FILE     Listen on a Unix socket that only you can open, instead of a port.
  --idle MINUTES    Exit after this time without requests, or \`never\`. Default: 30.
  --new-token       Create a new token. The old one becomes invalid.`;
const defaultIdleMinutes = 30;
const idleCheckMs = 5_000;
const shutdownDelayMs = 100;

const wiring = wire();
const { home } = wiring.paths;

function readArguments() {
  try {
    const { values } = parseArgs({
      args: process.argv.slice(process.argv[2] === 'serve' ? 3 : 2),
      options: {
        port: { type: 'string' },
        socket: { type: 'string' },
        idle: { type: 'string' },
        project: { type: 'string' },
        'new-token': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    return values;
  } catch (error) {
    throw new AppError('INVALID_ARGUMENT', messageOf(error), { hint: usage });
  }
}

function wholeNumber(name: string, text: string | undefined, max: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,6}$/.test(text) && Number(text) <= max) return Number(text);
  throw new AppError('INVALID_ARGUMENT', `${name} must be a whole number of at most ${max}, not ${text}`, {
    hint: usage,
  });
}

const openedCode = new Map<string, Promise<CodeSearch>>();

/** It stays open, so that the next search is fast. */
function codeOf(place: Place): Promise<CodeSearch> {
  const known = openedCode.get(place.root);
  if (known !== undefined) return known;
  const search = import('./open-code.ts').then(({ openCode }) => openCode(wiring, place, { watches: true }));
  openedCode.set(place.root, search);
  // Do not cache a failure: the folder or git may become available later.
  search.catch(() => openedCode.delete(place.root));
  return search;
}

const checkedCodes = new Map<string, CheckedCode>();

/** One per checkout, because each owns a parser thread. */
function checkedCodeOf(root: string): CheckedCode {
  const known = checkedCodes.get(root) ?? checkedCode(wiring, root);
  checkedCodes.set(root, known);
  return known;
}

let mcp: Promise<ReturnType<typeof createMcpOverHttp>> | undefined;

const openProjects = new Map<string, { stamp: string; parts: OpenProject }>();

/** Keeps an open project, with its notes and embedding model, across requests until its settings change. */
function openCached({ id }: Pick<Project, 'id'>): OpenProject {
  const files = [wiring.paths.config, wiring.paths.project(id).config];
  const stamp = files.map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0).join(' ');
  const known = openProjects.get(id);
  if (known?.stamp === stamp) return known.parts;
  const parts = wiring.open(id);
  openProjects.set(id, { stamp, parts });
  return parts;
}

const httpParts = (startedIn: string, startedAt: string, end: () => void): HttpParts => ({
  ...wiring,
  clock: systemClock,
  startedIn,
  startedAt,
  open: openCached,
  place: (root) => resolvePlace(wiring.paths, root, systemClock).place,
  code: codeOf,
  checkedCode: checkedCodeOf,
  startDrain: (project) => startDrain(wiring.programs.drain, project, wiring.userHome),
  mcp: async (request, place, tools) => {
    mcp ??= import('./mcp-over-http.ts').then((loaded) => loaded.createMcpOverHttp(wiring, codeOf));
    return (await mcp).answer(request, place, tools);
  },
  end,
});

async function main(): Promise<void> {
  const values = readArguments();
  if (values.help === true) {
    print(
      `${usage}\n\nRun the local HTTP server for the viewer, for programs and for MCP clients.\nTo stop it: Ctrl-C, SIGTERM, or POST /api/v1/shutdown.\n\n${optionHelp}`,
    );
    return;
  }
  const port = wholeNumber('--port', values.port, 65_535) ?? 0;
  const idleMinutes =
    values.idle === 'never'
      ? Number.POSITIVE_INFINITY
      : (wholeNumber('--idle', values.idle, 100_000) ?? defaultIdleMinutes);
  const lock = tryWriterLock(serveFiles(home).lock);
  if (lock === undefined) {
    const running = readServeState(home);
    throw new AppError(
      'CONFLICT',
      `serve is already running${running === undefined ? '' : `: ${running.url || running.socket}`}`,
      { hint: 'backstory ui' },
    );
  }
  // Remove the state file of a killed server, which a client could take for ours while this one starts.
  removeServeState(home);
  const { place } = resolvePlace(wiring.paths, process.cwd(), systemClock);
  const startedIn = values.project ?? place.project;
  const startedAt = place.project === startedIn ? place.root : '';
  const idle = watchIdle(systemClock, idleMinutes * 60_000);
  const server = await startServer({
    parts: httpParts(startedIn, startedAt, () => setTimeout(() => void end(), shutdownDelayMs)),
    token: ensureToken(home, values['new-token'] === true),
    port,
    socket: values.socket,
    viewer: join(wiring.programs.main, '..', 'ui'),
    idle,
  });
  const end = async () => {
    clearInterval(idleTimer);
    removeServeState(home);
    await server.close();
    await (await mcp)?.close();
    await Promise.all([...openedCode.values()].map(async (search) => (await search).close()));
    lock.release();
  };
  const idleTimer = setInterval(() => idle.isIdle() && void end(), idleCheckMs);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end());
  // Write the state file last: a client that reads it may stop the server at once, so shutdown must be ready by then.
  writeServeState(home, {
    v: 1,
    pid: process.pid,
    url: server.url,
    socket: values.socket ?? '',
    version: wiring.version,
  });
  printVerbatim(
    `Answering at ${server.url || values.socket}\nThe token is in ${serveFiles(home).token}; backstory ui opens the viewer.\nTo stop it: Ctrl-C, or kill ${process.pid}.`,
  );
}

main().catch((error) => {
  process.exitCode = reportError(error);
});
