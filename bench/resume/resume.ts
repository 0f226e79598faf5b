import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { briefBudget } from '../../src/handoff/brief.ts';
import { estimateTokens } from '../../src/text/tokens.ts';
import {
  atMost,
  type Evaluation,
  exactly,
  median,
  round,
  showProgress,
} from '../../test/harness/evaluation.ts';
import { createHome, type Home } from '../../test/harness/home.ts';
import { type McpClient, startMcp } from '../../test/harness/mcp-client.ts';
import { installPackage } from '../../test/harness/package.ts';
import { createProse } from '../../test/harness/prose.ts';
import { createRandom, type Random } from '../../test/harness/random.ts';
import { isLeft } from '../redaction/leftover.ts';
import { secretKinds } from '../redaction/synthetic-kinds.ts';
import { writeLongWork } from './long-work.ts';

const actions = 5_000;

interface Snapped {
  snapshot_id: string;
  snapshot_dir: string;
}
interface Resumed {
  payload_markdown: string;
  payload_token_estimate: number;
}

/**
 * Makes a snapshot of a long work session over MCP and resumes it. Measures the cost, and checks what is promised about
 * the content of the snapshot.
 */
export const resume: Evaluation = {
  name: 'resume',
  summary:
    'Snapshot and resume of 5,000 actions compared with bare Node.js; budget, bytes and secrets of the payload.',
  async run({ isShort, seed }) {
    const random = createRandom(seed);
    const installed = installPackage();
    const home = createHome(installed);
    const session = writeLongWork(home, actions, createProse(random), random);
    home.cli('prelude');
    await home.drainsEnded();
    const client = await startMcp([home.program('mcp.js'), '--tools', 'all'], {
      cwd: home.repo,
      env: home.env,
    });
    const { sessions } = (await client.call('session_list', {})) as { sessions: { session_id: string }[] };
    const session_id = sessions[0]?.session_id ?? '';
    const status = await client.call('session_status', { session_id });
    const times = await measure(client, home, session_id, isShort ? 10 : 40);
    const promises = await check(client, home, session_id, random, isShort ? 40 : 200);
    await client.close();
    const bare = median(times.bare);
    const both = median(times.both);
    const cpuRatio = round(times.cpu / times.both.length / median(times.bareCpu));
    return {
      n: times.both.length,
      figures: {
        agentSession: session,
        bareMs: round(bare),
        snapshotMs: round(median(times.snapshot)),
        resumeMs: round(median(times.resume)),
        bareCpuMs: round(median(times.bareCpu)),
        cpuRatio,
        ratio: round(both / bare),
        ...promises.figures,
      },
      bars: {
        actions: exactly(status.action_log_size as number, actions),
        ratio: atMost(round(both / bare), 3),
        overBudget: exactly(promises.overBudget, 0),
        differing: exactly(promises.differing, 0),
        leaks: exactly(promises.leaks, 0),
      },
    };
  },
};

const warmUps = 3;

/** Each method once per round, in random order, so that other load affects all alike. */
async function measure(client: McpClient, home: Home, session_id: string, rounds: number) {
  const times = {
    bare: [] as number[],
    snapshot: [] as number[],
    resume: [] as number[],
    both: [] as number[],
    bareCpu: [] as number[],
    cpu: 0,
  };
  let cpuBefore = 0;
  for (let at = 0; at < warmUps + rounds; at++) {
    if (at === warmUps) cpuBefore = cpuMsOf(client.pid);
    const bare = timed(() => spawnSync(process.execPath, ['-e', '0'], { cwd: home.repo, env: home.env }));
    const started = performance.now();
    const { snapshot_id } = (await client.call('session_snapshot', { session_id })) as unknown as Snapped;
    const between = performance.now();
    await client.call('session_resume', { snapshot_id });
    const ended = performance.now();
    if (at < warmUps) continue;
    times.bare.push(bare);
    times.bareCpu.push(bareCpuMs());
    times.snapshot.push(between - started);
    times.resume.push(ended - between);
    times.both.push(ended - started);
    showProgress(at + 1, warmUps + rounds);
  }
  times.cpu = cpuMsOf(client.pid) - cpuBefore;
  return times;
}

/**
 * CPU time of a process and the children it waited for, which other load on the machine affects less than elapsed time.
 */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0);
}

function bareCpuMs(): number {
  const program = 'const { user, system } = process.cpuUsage(); console.log((user + system) / 1000)';
  return Number(spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' }).stdout);
}

function timed(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

/**
 * Checks that no secret is in the snapshot. Secrets are placed where a snapshot reads: in a goal, in pinned lines, in
 * open edits, and among the known secrets of the project.
 */
async function check(client: McpClient, home: Home, session_id: string, random: Random, rounds: number) {
  const found = { overBudget: 0, differing: 0, leaks: 0 };
  let largest = 0;
  for (let at = 0; at < rounds; at++) {
    const kind = random.pick(secretKinds);
    const secret = kind.make(random);
    const line = `const ${kind.variable} = "${secret}";`;
    const file = 'src/part-0/file-0.ts';
    writeFileSync(join(home.repo, file), `${line}\n${'// more\n'.repeat(5)}`);
    writeFileSync(join(home.repo, '.env'), `${kind.variable}=${secret.split('\n')[0]}\n`);
    const lines = line.split('\n').length;
    const pins = [{ path: file, line_start: random.whole(1, lines), line_end: lines + 3 }];
    const goal = `Fix the retries with ${line}`;
    await client.call('session_open', { session_id, goal });
    const { snapshot_id, snapshot_dir } = (await client.call('session_snapshot', {
      session_id,
      pinned_snippet_paths: pins,
    })) as unknown as Snapped;
    const budget_tokens = random.size(briefBudget.least, briefBudget.most);
    const ask = async () =>
      (await client.call('session_resume', { snapshot_id, budget_tokens })) as unknown as Resumed;
    const [first, second] = [await ask(), await ask()];
    const tokens = estimateTokens(first.payload_markdown);
    largest = Math.max(largest, tokens);
    if (tokens > budget_tokens || tokens !== first.payload_token_estimate) found.overBudget += 1;
    if (first.payload_markdown !== second.payload_markdown) found.differing += 1;
    const kept = readFileSync(join(snapshot_dir, 'snapshot.json'), 'utf8');
    const parts = secret.split('\n').filter((line) => !line.startsWith('-----') && line.length >= 16);
    const isLeaked = [kept, first.payload_markdown].some(
      (text) => parts.some((part) => text.includes(part)) || isLeft(text, secret),
    );
    if (isLeaked) process.stderr.write(`leaked: ${kind.name}\n`);
    found.leaks += Number(isLeaked);
    showProgress(at + 1, rounds);
  }
  return { ...found, figures: { payloads: rounds, largestPayloadTokens: largest } };
}
