import { hooksListRequest, hooksListResponse, trustStates } from '../agents/codex/trust.ts';
import type { InstallableAgent } from '../agents/setup.ts';
import { type FoundTranscript, findTranscripts, transcriptSources } from '../agents/transcripts.ts';
import { localDay } from '../base/clock.ts';
import type { Check } from '../memory/installation-checks.ts';
import { activationOf } from '../memory/projects/activation.ts';
import type { InstallRecord } from '../memory/projects/install-records.ts';
import { listProjects, resolvePlace } from '../memory/projects/projects.ts';
import { redact } from '../memory/redact/redact.ts';
import type { App } from './command.ts';
import { isOnPath } from './find-program.ts';

const dayMs = 24 * 60 * 60 * 1000;
const maxRecords = 20_000;

/** Finds agents that ran uncaptured, by their transcripts: hooks may be untrusted, off, or send an unknown format. */
export async function checkAgentActivity(app: App, installs: InstallRecord[]): Promise<Check[]> {
  const agents = [...new Set(installs.map(({ agent }) => agent))];
  const checks: Check[] = [];
  for (const agent of agents) {
    const newest = findTranscripts(app.agentFolders, [agent]).findLast((found) => isCaptured(app, found));
    if (newest !== undefined) checks.push(await checkAgent(app, agent, newest));
  }
  return checks;
}

/** False for sessions in a folder where the user has turned capture off or excluded it. */
function isCaptured(app: App, { cwd }: FoundTranscript): boolean {
  const { place } = resolvePlace(app.paths, cwd, app.clock);
  return activationOf(app.paths, { ...place, cwd, userHome: app.userHome }, app.clock).on;
}

async function checkAgent(app: App, agent: InstallableAgent, newest: FoundTranscript): Promise<Check> {
  const name = `${agent} sessions`;
  const last = await lastCaptured(app, agent);
  if (last === undefined || newest.changed - last > dayMs) {
    const since = last === undefined ? '' : ` since ${localDay(last)}`;
    const detail = `it ran on ${localDay(newest.changed)}, but nothing was captured${since}`;
    return { name, ok: false, detail, hint: `backstory install ${agent} --repair` };
  }
  const unknown = unknownTypes(newest);
  const skipped = unknown.length === 0 ? '' : `; skipped records of unknown types: ${unknown.join(', ')}`;
  return { name, ok: true, detail: `last captured on ${localDay(last)}${skipped}` };
}

async function lastCaptured(app: App, agent: InstallableAgent): Promise<number | undefined> {
  const times: number[] = [];
  for (const project of listProjects(app.paths)) {
    const reading = app.open(project.id).access.forReading();
    const at = (await reading?.index.summary())?.lastByAgent[agent];
    await reading?.close();
    if (at !== undefined) times.push(at);
  }
  return times.length === 0 ? undefined : Math.max(...times);
}

function unknownTypes({ agent, file }: FoundTranscript): string[] {
  const counts = new Map<string, number>();
  let records = 0;
  for (const { unknown } of transcriptSources[agent]?.read(file, file, { offset: 0, turn: '' }, redact) ??
    []) {
    records += 1;
    if (unknown !== undefined) counts.set(unknown, (counts.get(unknown) ?? 0) + 1);
    if (records >= maxRecords) break;
  }
  return [...counts].map(([type, count]) => `${type.slice(0, 40)} × ${count}`);
}

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
