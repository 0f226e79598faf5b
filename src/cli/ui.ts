import { setTimeout } from 'node:timers/promises';
import { AppError } from '../base/errors.ts';
import { text } from '../base/json.ts';
import { readServeState, readToken, type ServeState } from '../base/serve-files.ts';
import type { App, Command } from './command.ts';
import { isSet } from './command.ts';

export const uiCommand: Command = {
  name: 'ui',
  usage: 'ui [--print]',
  summary: 'Open the viewer in your browser: what the agents did, what they know, whether it is still true.',
  group: 'What do we know?',
  options: { print: { type: 'boolean' } },
  async run(app, given) {
    const url = (await login(app)) ?? (await started(app));
    if (!isSet(given, 'print')) app.startDetached(...opener(url));
    return { value: { url }, text: `${url}\n${app.style.dim('Opens once, within a minute.')}` };
  },
};

const triesEveryMs = 50;
const startsWithinMs = 10_000;

async function started(app: App): Promise<string> {
  app.startDetached(app.programs.node, [app.programs.serve, '--project', app.place().project]);
  for (const end = app.clock.now() + startsWithinMs; app.clock.now() < end; ) {
    await setTimeout(triesEveryMs);
    const url = await login(app);
    if (url !== undefined) return url;
  }
  throw new AppError('BACKEND_FAILURE', 'the server did not start', {
    hint: 'backstory serve',
    retryable: true,
  });
}

/** A link that opens the viewer once; undefined when no server of this version runs. */
async function login(app: App): Promise<string | undefined> {
  const state = readServeState(app.paths.home);
  if (state === undefined) return undefined;
  if (state.url === '') {
    throw new AppError('CONFLICT', `a server runs on ${state.socket} alone, where no browser can reach it`, {
      hint: 'end it, then: backstory ui',
    });
  }
  if (state.version !== app.version) {
    await ask(app, state, '/api/shutdown');
    return undefined;
  }
  return (await ask(app, state, '/api/login'))?.url;
}

/** Undefined when nobody answers there, or somebody else does. */
async function ask(app: App, { url }: ServeState, path: string): Promise<{ url: string } | undefined> {
  try {
    const authorization = `Bearer ${readToken(app.paths.home) ?? ''}`;
    const response = await fetch(`${url}${path}`, { method: 'POST', headers: { authorization } });
    if (!response.ok) return undefined;
    return { url: text(((await response.json()) as Record<string, unknown>).url) };
  } catch {
    return undefined;
  }
}

function opener(url: string): [string, string[]] {
  if (process.platform === 'darwin') return ['open', [url]];
  if (process.platform === 'win32') return ['explorer.exe', [url]];
  return ['xdg-open', [url]];
}
