import { setTimeout } from 'node:timers/promises';
import { AppError } from '../base/errors.ts';
import type { ServeState } from '../base/serve-files.ts';
import { makeSignInCode } from '../base/sign-in-codes.ts';
import type { App, Command } from './command.ts';
import { isSet } from './command.ts';

export const uiCommand: Command = {
  name: 'ui',
  usage: 'ui [--print]',
  summary: 'Open the viewer in your browser: what the agents did, what they know, whether it is still true.',
  group: 'What do we know?',
  options: { print: { type: 'boolean' } },
  async run(app, given) {
    const server = (await sameVersion(app)) ?? (await started(app));
    const isPerson = app.caller().kind === 'person';
    const url = linkTo(app, server, isPerson);
    if (!isSet(given, 'print')) app.startDetached(...opener(url));
    const notes = [
      'Opens once, within a minute.',
      ...(isPerson
        ? []
        : [
            'This viewer can read and propose only. To approve, edit or delete, run backstory ui in a terminal of your own.',
          ]),
    ];
    return {
      value: { url, mayApprove: isPerson },
      text: [url, ...notes.map((note) => app.style.dim(note))].join('\n'),
    };
  },
};

const triesEveryMs = 50;
const startsWithinMs = 10_000;
const endsWithinMs = 5_000;

/** The address comes from our own state file and is on this machine. No request is needed to make the link. */
function linkTo(app: App, { url }: ServeState, isPerson: boolean): string {
  const port = Number(new URL(url).port);
  const code = makeSignInCode(app.paths.home, { port, isPerson, now: app.clock.now() });
  return `${url}/login?code=${code}`;
}

async function started(app: App): Promise<ServeState> {
  app.startDetached(app.programs.node, [app.programs.serve, '--project', app.place().project]);
  const server = await within(app, startsWithinMs, () => app.runningServer());
  if (server !== undefined) return server;
  throw new AppError('BACKEND_FAILURE', 'The server did not start.', {
    hint: 'backstory serve',
    retryable: true,
  });
}

/** Ends a server of another version. Undefined if none is left running. */
async function sameVersion(app: App): Promise<ServeState | undefined> {
  const server = app.runningServer();
  if (server === undefined || server.version === app.version) return browsable(server);
  await shutDown(app, server);
  const isGone = await within(app, endsWithinMs, () => app.runningServer()?.pid !== server.pid || undefined);
  if (isGone === true) return browsable(app.runningServer());
  throw new AppError('CONFLICT', `A server of version ${server.version} is running and did not end.`, {
    hint: `End the process ${server.pid}, then run: backstory ui`,
  });
}

function browsable(server: ServeState | undefined): ServeState | undefined {
  if (server?.url !== '') return server;
  throw new AppError(
    'CONFLICT',
    `A server runs on the socket ${server.socket}, where no browser can reach it.`,
    {
      hint: 'End it, then run: backstory ui',
    },
  );
}

/** Signs in with a one-time code rather than with the API token, which no other listener on the port must see. */
async function shutDown(app: App, server: ServeState): Promise<void> {
  if (server.url === '') return;
  try {
    const entered = await fetch(linkTo(app, server, false), { redirect: 'manual' });
    const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    await fetch(`${server.url}/api/shutdown`, { method: 'POST', headers: { cookie, origin: server.url } });
  } catch {
    // It ended by itself, or it does not answer; the caller looks.
  }
}

async function within<T>(app: App, ms: number, look: () => T | undefined): Promise<T | undefined> {
  for (const end = app.clock.now() + ms; app.clock.now() < end; ) {
    await setTimeout(triesEveryMs);
    const found = look();
    if (found !== undefined) return found;
  }
  return undefined;
}

function opener(url: string): [string, string[]] {
  if (process.platform === 'darwin') return ['open', [url]];
  if (process.platform === 'win32') return ['explorer.exe', [url]];
  return ['xdg-open', [url]];
}
