import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashId } from '../../../src/base/hash.ts';
import { emptyReplay, replayRecord } from '../../../src/recall/replay-log.ts';
import { createHome, type Home, openProject } from '../../harness/home.ts';
import type { InstalledPackage } from '../../harness/package.ts';
import { sleep } from '../../harness/program.ts';
import { createRandom } from '../../harness/random.ts';
import { claudeBinary, claudeEnvironment } from '../../support/claude.ts';
import { startModel, text } from '../../support/fake-model.ts';

/**
 * Runs the real Claude Code with the registered hooks and kills its process group right after it has printed its
 * answer, when its asynchronous hooks have just begun.
 */
export async function killRealAgents(options: { installed: InstalledPackage; seed: number; runs: number }) {
  const random = createRandom(options.seed * 29 + 11);
  const total = { runs: options.runs, records: 0, lost: 0, doubled: 0 };
  for (let run = 0; run < options.runs; run++) {
    const home = createHome(options.installed);
    const { status, stderr } = home.cli('install', 'claude-code');
    if (status !== 0) throw new Error(`install: ${stderr}`);
    const model = await startModel(home, {
      steps: [
        [{ type: 'tool_use', name: 'Bash', input: { command: `echo number ${run}`, description: 'x' } }],
        text(`The answer of run ${run}.`),
      ],
    });
    const agent = spawn(
      claudeBinary,
      [
        '-p',
        `Question of run ${run}.`,
        '--permission-mode',
        'bypassPermissions',
        '--output-format',
        'stream-json',
        '--verbose',
      ],
      {
        cwd: home.repo,
        env: claudeEnvironment(home, model),
        stdio: ['ignore', 'pipe', 'ignore'],
        detached: true,
      },
    );
    const ended = new Promise((resolve) => agent.on('exit', resolve));
    await new Promise<void>((resolve) => {
      let printed = '';
      agent.stdout?.on('data', (data) => {
        printed += data;
        if (printed.includes('"type":"result"')) resolve();
      });
      agent.on('exit', () => resolve());
    });
    await sleep(random.next() * 60);
    if (agent.exitCode === null) process.kill(-(agent.pid as number), 'SIGKILL');
    await ended;
    model.stop();
    await drain(home);
    const found = compare(home.projectFolder(), idsIn(join(home.home, '.claude', 'projects')));
    total.records += found.records;
    total.lost += found.lost;
    total.doubled += found.doubled;
  }
  return total;
}

/**
 * A hook may have started a drain (background indexing), which outlives the agent. Another one would do nothing while
 * that runs, so this waits for it, and drains again.
 */
async function drain(home: Home): Promise<void> {
  for (let rounds = 0; rounds < 2; rounds++) {
    const { code } = await home.startDrain().ended;
    if (code !== 0) throw new Error(`the drain ended with ${code}`);
    await home.drainsEnded();
  }
}

interface TranscriptRecord {
  type?: string;
  uuid?: string;
  isMeta?: boolean;
  promptSource?: string;
  message?: { content?: string | { type: string; tool_use_id?: string; text?: string }[] };
}

/** Ids of events for the complete records of the transcripts: prompts, answers and results of commands. */
function idsIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.jsonl'),
  );
  return files.flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .slice(0, -1)
      .flatMap((line) => idsOf(JSON.parse(line) as TranscriptRecord)),
  );
}

function idsOf({ type, uuid, isMeta, promptSource, message }: TranscriptRecord): string[] {
  if (uuid === undefined || isMeta === true || promptSource === 'system') return [];
  const id = (native: string): string => hashId('claude-code', native);
  const content = message?.content;
  if (type === 'user' && typeof content === 'string') return [id(uuid)];
  if (!Array.isArray(content)) return [];
  if (type === 'user')
    return content.flatMap((block) => (block.type === 'tool_result' ? [id(block.tool_use_id ?? '')] : []));
  return type === 'assistant' && content.some((block) => block.type === 'text') ? [id(uuid)] : [];
}

function compare(projectFolder: string, wanted: string[]) {
  const fold = emptyReplay();
  const words: string[] = [];
  const { log } = openProject(projectFolder);
  for (const record of log.read({})) replayRecord(fold, record, new Map());
  const live = new Set([...fold.rows.values()].filter(({ state }) => state === 'live').map(({ id }) => id));
  const seen = new Set<string>();
  for (const { entry } of log.read({})) {
    if (entry.kind !== 'event' || seen.has(entry.event.id) || !live.has(entry.event.id)) continue;
    seen.add(entry.event.id);
    const { kind, body } = entry.event;
    if (kind === 'prompt' || kind === 'answer') words.push(`${kind} ${body.text}`);
    if (kind === 'command') words.push(`${kind} ${body.command}`);
  }
  return {
    records: wanted.length,
    lost: wanted.filter((id) => !live.has(id)).length,
    doubled: words.length - new Set(words).size,
  };
}
