import { hooksListRequest, hooksListResponse, trustStates } from '../agents/codex/trust.ts';
import type { Check } from '../memory/installation-checks.ts';
import type { InstallRecord } from '../memory/projects/install-records.ts';
import type { App } from './command.ts';
import { isOnPath } from './find-program.ts';

const answerTimeoutMs = 15_000;

/** Codex silently skips hooks that it does not trust, and only its app server says which it trusts. */
export async function checkCodexTrust(app: App, install: InstallRecord): Promise<Check[]> {
  if (install.agent !== 'codex' || !isOnPath('codex', app.searchPath)) return [];
  const name = 'codex hook trust';
  const hint = 'open Codex and type /hooks, or: backstory install codex --trust-hooks';
  const ran = await app.run('codex', ['app-server'], {
    input: hooksListRequest(app.cwd, app.version),
    until: hooksListResponse,
    timeoutMs: answerTimeoutMs,
  });
  const states = trustStates(ran.stdout, install.entries.hookCommand);
  if (states === undefined) return [{ name, ok: false, detail: 'codex app-server did not answer', hint }];
  const open = states.filter(({ status }) => status !== 'trusted' && status !== 'managed');
  if (states.length === 0) return [{ name, ok: false, detail: 'Codex does not list our hooks', hint }];
  if (open.length === 0) return [{ name, ok: true, detail: `all ${states.length} hooks are trusted` }];
  const detail = open.map(({ event, status }) => `${event} ${status}`).join(', ');
  return [{ name, ok: false, detail: `Codex will not run: ${detail}`, hint }];
}
