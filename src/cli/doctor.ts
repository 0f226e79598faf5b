import { join } from 'node:path';
import type { InstallableAgent } from '../agents/setup.ts';
import { setups } from '../agents/setups.ts';
import { skillFiles } from '../agents/skill-files.ts';
import { messageOf } from '../base/errors.ts';
import { readIfThere } from '../base/files.ts';
import { randomHex } from '../base/ids.ts';
import { parseObject, record } from '../base/json.ts';
import { readLostWrites } from '../memory/capture/lost-writes.ts';
import { gapOf, gapText } from '../memory/capture/record-gap.ts';
import { drain } from '../memory/drain.ts';
import { type Check, checkFailures, checkInstallations } from '../memory/installation-checks.ts';
import { findNextSteps, nextStepLines } from '../memory/next-step.ts';
import { preludeText, readPrelude } from '../memory/prelude/prelude-file.ts';
import { readFailures } from '../memory/projects/failures.ts';
import { type InstallRecord, readInstalls } from '../memory/projects/install-records.ts';
import { checkEvents } from '../memory/verify.ts';
import { quarantine } from '../store/events/quarantine.ts';
import { estimateJsonTokens, estimateTokens } from '../text/tokens.ts';
import { type App, type Command, isSet, type Outcome, type ParsedArgs, stringOf } from './command.ts';
import { checkAgentActivity, checkCodexTrust } from './doctor-agents.ts';
import { followPhrase } from './doctor-memory.ts';
import { rebuildIndex } from './doctor-reindex.ts';
import { damageLines, scanMemory, verifyProject } from './doctor-verify.ts';

export const doctorCommand: Command = {
  name: 'doctor',
  usage:
    'doctor [memory PHRASE | --verify [--recover] [--accept] | --scan [--here] [--dry-run] | --reindex [memory|code [PATH]] | --logs [--limit N]]',
  summary:
    'Check that capture and recall work, repair what is stored, and say why a phrase is not remembered.',
  group: 'Inspect',
  options: {
    verify: { about: 'Check the log, the notes and the index for damage.' },
    recover: { about: 'With --verify: write lost events back to the log from the index.' },
    accept: { about: 'With --verify: accept the log and edited notes as they are now.' },
    scan: { about: 'Apply the current secret rules to stored memory, and overwrite the secrets they find.' },
    here: { about: 'With --scan: only this project.' },
    'dry-run': { about: 'With --scan: only show what would be overwritten.' },
    reindex: { about: 'Rebuild the memory index of this project, or the code index of this checkout.' },
    logs: { about: 'Show failures of hooks and background work, newest last.' },
    limit: { about: 'With --logs: maximum number of failures.', value: 'N' },
  },
  needsPerson: (args) =>
    isSet(args, 'recover') || isSet(args, 'accept') ? 'Recovering or accepting damage' : undefined,
  async run(app, args) {
    const part = Object.keys(parts).find((name) => isSet(args, name));
    if (part !== undefined) return (parts[part] as Part)(app, args);
    const [about, ...phrase] = args.positionals;
    return about === 'memory' ? followPhrase(app, phrase.join(' ')) : checkInstallation(app);
  },
};

type Part = (app: App, args: ParsedArgs) => Promise<Outcome>;

/** What an option of its own asks for, instead of the checks of the installation. */
const parts: Record<string, Part> = {
  verify: verifyProject,
  scan: scanMemory,
  reindex: rebuildIndex,
  logs: showLogs,
};

async function showLogs(app: App, args: ParsedArgs): Promise<Outcome> {
  const limit = Number(stringOf(args, 'limit') ?? 20) || 20;
  const gap = gapHere(app);
  const failures = [
    ...readFailures(app.paths.failures).slice(-limit),
    ...(gap === undefined ? [] : [{ at: gap.to, where: 'hook', code: gap.code, message: gapText(gap) }]),
  ];
  const lines = failures.map(({ at, where, code, message }) => `${at}  ${where}  ${code} ${message}`);
  return { value: failures, text: lines.join('\n') || 'No failures recorded.' };
}

/** `tokens`: what a session pays for what was checked. */
type CheckWithCost = Check & { tokens?: number };

async function checkInstallation(app: App): Promise<Outcome> {
  const installs = readInstalls(app.paths.installs);
  const checks: CheckWithCost[] = [
    ...checkInstallations(installs, app.programs.node),
    ...(await Promise.all(installs.map((install) => checkCodexTrust(app, install)))).flat(),
    await checkCapture(app, installs),
    ...(await checkAgentActivity(app, installs)),
    ...(hasServer(installs) ? [await checkTools(app)] : []),
    ...checkSkill(app, installs),
    await checkPrelude(app),
    checkLogDamage(app),
    checkDisk(app),
    checkFailures(app.paths, app.clock),
  ];
  const cost = checks.reduce((sum, { tokens = 0 }) => sum + tokens, 0);
  const { style } = app;
  const lines = checks.map(({ name, ok, detail, hint }) => {
    const help = ok || hint === undefined ? '' : `\n     ${style.bold(hint)}`;
    return `${ok ? style.good('ok  ') : style.bad('FAIL')} ${name}: ${detail}${help}`;
  });
  const ok = checks.every((check) => check.ok);
  const next = await findNextSteps(app, app.open());
  lines.push(
    '',
    `Fixed cost of a session: about ${cost} tokens (tools, skill and prelude).`,
    ...nextStepLines(next),
  );
  return { value: { ok, checks, sessionTokens: cost, next }, text: lines.join('\n'), exitCode: ok ? 0 : 1 };
}

/** Runs the hook command as the agent does, through the shell, and looks for its event in the log. */
async function checkCapture(app: App, installs: InstallRecord[]): Promise<Check> {
  const name = 'Capture';
  const install = installs[0];
  if (install === undefined)
    return { name, ok: false, detail: 'not installed', hint: 'backstory install claude-code' };
  const activation = app.activation();
  if (!activation.on) return { name, ok: true, detail: `off here: ${activation.reason}` };
  const nonce = randomHex(8);
  const input = JSON.stringify({
    hook_event_name: 'BackstoryProbe',
    session_id: 'doctor',
    cwd: app.cwd,
    nonce,
  });
  const ran = await app.run(install.entries.hookCommand, [], {
    input,
    timeoutMs: 10_000,
    shell: isPowerShell(install.agent) ? 'powershell.exe' : true,
  });
  const log = app.open().log;
  const isThere = [...log.read({})].some(
    ({ entry }) => entry.kind === 'event' && entry.event.kind === 'probe' && entry.event.body.nonce === nonce,
  );
  if (isThere) return { name, ok: true, detail: `a probe event was on disk after ${ran.ms} ms` };
  const why = ran.stderr.trim().slice(0, 300) || `the hook exited with ${ran.code} and wrote no event`;
  return { name, ok: false, detail: why, hint: 'backstory doctor --logs' };
}

const isPowerShell = (agent: InstallableAgent): boolean =>
  process.platform === 'win32' && setups[agent].isPowerShellOnWindows === true;

/** Not so after `install --surface skill`: then no session pays for the tools. */
const hasServer = (installs: InstallRecord[]): boolean =>
  installs.length === 0 || installs.some(({ surface }) => surface !== 'skill');

async function checkTools(app: App): Promise<CheckWithCost> {
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
  const name = 'Tools';
  if (!Array.isArray(tools)) {
    const detail = ran.stderr.slice(0, 200) || 'the MCP server did not answer';
    return { name, ok: false, detail, hint: 'backstory doctor --logs' };
  }
  const instructions = record(answers.find(({ id }) => id === 1)?.result).instructions;
  // Count only those fields of a tool definition that an agent shows its model.
  const shown = tools.map(record).map((tool) => ({
    name: tool.name,
    description: tool.description,
    input_schema: tool.inputSchema,
  }));
  const tokens = estimateJsonTokens(JSON.stringify(shown)) + estimateTokens(String(instructions ?? ''));
  const names = shown.map((tool) => tool.name).join(', ');
  const detail = `${names}; with their instructions about ${tokens} tokens; ready in ${ran.ms} ms`;
  return { name, ok: true, detail, tokens };
}

/** Counts the front matter of the skills, which agents put into every session. They read the rest on demand. */
function checkSkill(app: App, installs: InstallRecord[]): CheckWithCost[] {
  if (!installs.some(({ files }) => files.some(({ holds }) => holds === 'skill'))) return [];
  const heads = skillFiles
    .filter((name) => name.endsWith('SKILL.md'))
    .map((name) => /^---\n([\s\S]*?)\n---/.exec(readIfThere(join(app.programs.skill, name)) ?? '')?.[1]);
  const tokens = estimateTokens(heads.join('\n'));
  const detail = `listed for about ${tokens} tokens`;
  const hint = 'reinstall Backstory: files of the package are missing';
  return [{ name: 'Skill', ok: !heads.includes(undefined), detail, hint, tokens }];
}

function checkLogDamage(app: App): Check {
  const place = app.place();
  const { log, recoverable } = checkEvents(app.open(place.project));
  quarantine(app.paths.project(place.project).events, log.damage);
  const detail = log.damage.length === 0 ? 'no damage found' : damageLines(log.damage).join('\n     ');
  const hint = recoverable > 0 ? 'backstory doctor --verify --recover' : 'backstory doctor --verify';
  return { name: 'Event log', ok: log.damage.length === 0, detail, hint };
}

const gapHere = (app: App) => gapOf(readLostWrites(app.paths.lostWrites, app.place().project));

function checkDisk(app: App): Check {
  const gap = gapHere(app);
  const detail = gap === undefined ? 'all events were stored' : gapText(gap);
  return { name: 'Disk', ok: gap === undefined, detail, hint: 'free some disk space, then: backstory drain' };
}

async function checkPrelude(app: App): Promise<CheckWithCost> {
  const place = app.place();
  const name = 'Index and prelude';
  try {
    await drain(app.open(place.project));
    const prelude = readPrelude(app.paths, place.project);
    const tokens = estimateTokens(preludeText(prelude?.lines ?? [], [], place.name));
    return { name, ok: true, detail: `up to date, prelude about ${tokens} tokens`, tokens };
  } catch (error) {
    return { name, ok: false, detail: messageOf(error), hint: 'backstory doctor --reindex' };
  }
}
