import { existsSync } from 'node:fs';
import { settingsEditor } from '../agents/settings.ts';
import { messageOf } from '../base/errors.ts';
import { readIfThere } from '../base/files.ts';
import { randomHex } from '../base/ids.ts';
import { parseObject, record } from '../base/json.ts';
import { activationOf } from '../memory/activation.ts';
import { drain } from '../memory/drain.ts';
import { readFailures } from '../memory/failures.ts';
import { preludeText, readPrelude } from '../memory/prelude-file.ts';
import { estimateTokens } from '../text/tokens.ts';
import { checkAgentActivity } from './agent-activity.ts';
import { checkCodexTrust } from './codex-hooks.ts';
import type { App, Command } from './command.ts';
import { type InstallRecord, readInstalls } from './installs.ts';

export interface Check {
  name: string;
  ok: boolean;
  detail: string;
  /** What to do about it. */
  hint?: string;
}

export const doctorCommand: Command = {
  name: 'doctor',
  usage: 'doctor',
  summary: 'Prove that capture and recall work here, and say what a session costs.',
  group: 'Set up',
  async run(app) {
    const installs = readInstalls(app.paths.installs);
    const checks = [
      checkNode(),
      checkSqlite(),
      checkInstalled(installs),
      ...installs.flatMap((install) => checkInstall(app, install)),
      ...(await Promise.all(installs.map((install) => checkCodexTrust(app, install)))).flat(),
      await checkCapture(app, installs),
      ...(await checkAgentActivity(app, installs)),
      await checkTools(app),
      await checkPrelude(app),
      checkFailures(app),
    ];
    const cost = checks.reduce((sum, check) => sum + ((check as { tokens?: number }).tokens ?? 0), 0);
    const { style } = app;
    const lines = checks.map(({ name, ok, detail, hint }) => {
      const help = ok || hint === undefined ? '' : `\n     ${style.bold(hint)}`;
      return `${ok ? style.good('ok  ') : style.bad('FAIL')} ${name}: ${detail}${help}`;
    });
    const ok = checks.every((check) => check.ok);
    lines.push('', `Fixed cost of a session: about ${cost} tokens (tools and prelude).`);
    return { value: { ok, checks, sessionTokens: cost }, text: lines.join('\n'), exitCode: ok ? 0 : 1 };
  },
};

const parts = (version: string): number[] => version.replace(/^v/, '').split('.').map(Number);

function isAtLeast(version: string, floor: string): boolean {
  const [have, need] = [parts(version), parts(floor)];
  const at = need.findIndex((part, index) => (have[index] ?? 0) !== part);
  return at === -1 || (have[at] ?? 0) > (need[at] ?? 0);
}

const nodeFloor = '22.23.0';
/** Earlier versions can corrupt a database in write-ahead mode. */
const sqliteFloor = '3.51.3';

const checkNode = (): Check => ({
  name: 'Node',
  ok: isAtLeast(process.version, nodeFloor),
  detail: process.version,
  hint: `install Node ${nodeFloor} or newer, then: backstory install claude-code --repair`,
});

function checkSqlite(): Check {
  const version = process.versions.sqlite ?? '0';
  return {
    name: 'SQLite',
    ok: isAtLeast(version, sqliteFloor),
    detail: version,
    hint: `install Node ${nodeFloor} or newer`,
  };
}

const checkInstalled = (installs: InstallRecord[]): Check => ({
  name: 'Installed',
  ok: installs.length > 0,
  detail: installs.map(({ agent, scope }) => `${agent} (${scope})`).join(', ') || 'for no agent',
  hint: 'backstory install claude-code',
});

function checkInstall(app: App, install: InstallRecord): Check[] {
  return install.files.map((file): Check => {
    const name = `${install.agent} ${file.holds}`;
    const hint = `backstory install ${install.agent} --scope ${install.scope} --repair`;
    try {
      const text = readIfThere(file.path) ?? '';
      const isThere = settingsEditor(install.agent, file.holds, install.entries).has(text, file.path);
      if (!isThere) return { name, ok: false, detail: `our entries are not in ${file.path} any more`, hint };
      if (install.scope === 'user' && !existsSync(install.node)) {
        return { name, ok: false, detail: `they start ${install.node}, which is gone`, hint };
      }
      const isCurrent = install.scope === 'project' || install.node === app.programs.node;
      const moved = isCurrent ? '' : ` (starts ${install.node}, you run ${app.programs.node})`;
      return { name, ok: true, detail: file.path + moved };
    } catch (error) {
      return { name, ok: false, detail: messageOf(error), hint };
    }
  });
}

/** Runs the very command the agent will run, through the shell as it does, and looks for its event in the log. */
async function checkCapture(app: App, installs: InstallRecord[]): Promise<Check> {
  const name = 'Capture';
  const install = installs[0];
  if (install === undefined)
    return { name, ok: false, detail: 'not installed', hint: 'backstory install claude-code' };
  const place = app.place();
  const activation = activationOf(app.paths, { ...place, cwd: app.cwd, userHome: app.userHome }, app.clock);
  if (!activation.on) return { name, ok: true, detail: `off here: ${activation.reason}` };
  const nonce = randomHex(8);
  const input = JSON.stringify({
    hook_event_name: 'BackstoryProbe',
    session_id: 'doctor',
    cwd: app.cwd,
    nonce,
  });
  const ran = await app.run(install.entries.hookCommand, [], { input, timeoutMs: 10_000, shell: true });
  const log = app.open({ id: place.project, name: place.name }).log;
  const isThere = [...log.read({})].some(
    ({ entry }) => entry.kind === 'event' && entry.event.kind === 'probe' && entry.event.body.nonce === nonce,
  );
  if (isThere) return { name, ok: true, detail: `a probe event was on disk after ${ran.ms} ms` };
  const why = ran.stderr.trim().slice(0, 200) || `the hook ended with ${ran.code} and wrote nothing`;
  return { name, ok: false, detail: why, hint: 'backstory logs' };
}

async function checkTools(app: App): Promise<Check & { tokens: number }> {
  const request = (id: number, method: string, params: object) =>
    JSON.stringify({ jsonrpc: '2.0', id, method, params });
  const clientInfo = { name: 'backstory-doctor', version: app.version };
  const input = [
    request(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }),
    JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    request(2, 'tools/list', {}),
    '',
  ].join('\n');
  const ran = await app.run(app.programs.node, [app.programs.mcp], { input, timeoutMs: 20_000 });
  const answers = ran.stdout.split('\n').map((line) => record(parseObject(line)));
  const listed = answers.find(({ id }) => id === 2);
  const tools = record(listed?.result).tools;
  if (!Array.isArray(tools)) {
    return {
      name: 'Tools',
      ok: false,
      detail: ran.stderr.slice(0, 200) || 'the MCP server did not answer',
      hint: 'backstory logs',
      tokens: 0,
    };
  }
  const instructions = record(answers.find(({ id }) => id === 1)?.result).instructions;
  const tokens = estimateTokens(JSON.stringify(tools)) + estimateTokens(String(instructions ?? ''));
  const names = tools.map((tool) => String(record(tool).name)).join(', ');
  return {
    name: 'Tools',
    ok: true,
    detail: `${names}, about ${tokens} tokens; ready in ${ran.ms} ms`,
    tokens,
  };
}

async function checkPrelude(app: App): Promise<Check & { tokens: number }> {
  const place = app.place();
  try {
    await drain(app.open({ id: place.project, name: place.name }));
    const prelude = readPrelude(app.paths.project(place.project).prelude);
    const tokens = estimateTokens(preludeText(prelude?.lines ?? [], [], place.name));
    return {
      name: 'Index and prelude',
      ok: true,
      detail: `up to date, prelude about ${tokens} tokens`,
      tokens,
    };
  } catch (error) {
    return {
      name: 'Index and prelude',
      ok: false,
      detail: messageOf(error),
      hint: 'backstory reindex',
      tokens: 0,
    };
  }
}

const recentMs = 24 * 60 * 60 * 1000;

function checkFailures(app: App): Check {
  const recent = readFailures(app.paths.failures).filter(
    ({ at }) => app.clock.now() - Date.parse(at) < recentMs,
  );
  const last = recent.at(-1);
  const detail =
    last === undefined
      ? 'none in the last day'
      : `${recent.length} in the last day, the last: ${last.message}`;
  return { name: 'Failures', ok: recent.length === 0, detail, hint: 'backstory logs' };
}
