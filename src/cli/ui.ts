import { setTimeout } from 'node:timers/promises';
import { AppError } from '../base/errors.ts';
import type { ServeState } from '../base/serve-files.ts';
import { makeSignInCode } from '../base/sign-in-codes.ts';
import type { App, Command } from './command.ts';
import { isSet } from './command.ts';

export const uiCommand: Command = {
  name: 'ui',
  usage: 'ui [--print]',
  summary: 'Open the viewer in your browser.',
  group: 'Memory',
  options: { print: { about: 'Print the URL instead of opening a browser.' } },
  async run(app, args) {
    const isPerson = app.caller().kind === 'person';
    const url = await viewerLink(app, isPerson);
    if (!isSet(args, 'print')) app.startDetached(...browserCommand(url));
    const notes = [
      'The link works once and expires after a minute.',
      ...(isPerson
        ? []
        : [
            'This viewer is read-only apart from proposals. To approve, edit or delete, run backstory ui in your own terminal.',
          ]),
    ];
    return {
      value: { url, mayApprove: isPerson },
      text: [url, ...notes.map((note) => app.style.dim(note))].join('\n'),
    };
  },
};

export type ViewerParts = Pick<
  App,
  'paths' | 'clock' | 'version' | 'programs' | 'place' | 'runningServer' | 'startDetached'
>;

/** A link that opens the viewer once. Starts the server if none is running. */
export const viewerLink = async (app: ViewerParts, isPerson: boolean): Promise<string> =>
  signInLink(app, (await matchingServer(app)) ?? (await startServer(app)), isPerson);

const pollMs = 50;
const startTimeoutMs = 10_000;
const shutdownTimeoutMs = 5_000;

/** Builds the link from our own state file and a code on disk. No request is sent to the port. */
function signInLink(app: ViewerParts, { url }: ServeState, isPerson: boolean): string {
  const port = Number(new URL(url).port);
  const code = makeSignInCode(app.paths.home, { port, isPerson, now: app.clock.now() });
  return `${url}/login?code=${code}`;
}

async function startServer(app: ViewerParts): Promise<ServeState> {
  app.startDetached(app.programs.node, [app.programs.serve, '--project', app.place().project]);
  const server = await poll(app, startTimeoutMs, () => app.runningServer());
  if (server !== undefined) return server;
  throw new AppError('BACKEND_FAILURE', 'The server did not start.', {
    hint: 'backstory serve',
    retryable: true,
  });
}

/** Stops a server of another version. Returns undefined if no server is running afterwards. */
async function matchingServer(app: ViewerParts): Promise<ServeState | undefined> {
  const server = browsable(app.runningServer());
  if (server === undefined || server.version === app.version) return server;
  // It holds the lock, so the pid is its own.
  process.kill(server.pid);
  const isGone = await poll(
    app,
    shutdownTimeoutMs,
    () => app.runningServer()?.pid !== server.pid || undefined,
  );
  if (isGone === true) return browsable(app.runningServer());
  throw new AppError('CONFLICT', `A server of version ${server.version} is running and did not stop.`, {
    hint: `Stop the process ${server.pid}, then run: backstory ui`,
  });
}

function browsable(server: ServeState | undefined): ServeState | undefined {
  if (server?.url !== '') return server;
  throw new AppError(
    'CONFLICT',
    `A server is listening on the socket ${server.socket}, which a browser cannot open.`,
    { hint: 'Stop it, then run: backstory ui' },
  );
}

async function poll<T>(app: ViewerParts, ms: number, check: () => T | undefined): Promise<T | undefined> {
  for (const end = app.clock.now() + ms; app.clock.now() < end; ) {
    await setTimeout(pollMs);
    const found = check();
    if (found !== undefined) return found;
  }
  return undefined;
}

function browserCommand(url: string): [string, string[]] {
  if (process.platform === 'darwin') return ['open', [url]];
  if (process.platform === 'win32') return ['explorer.exe', [url]];
  return ['xdg-open', [url]];
}
