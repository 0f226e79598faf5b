import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../harness/cleanup.ts';
import { showProgress } from '../../harness/evaluation.ts';
import { type Home, openProject } from '../../harness/home.ts';
import { commandInput, promptInput, sessionStartInput, stopInput } from '../../harness/hook-input.ts';
import { sleep } from '../../harness/program.ts';
import type { Prose } from '../../harness/prose.ts';
import { createRandom } from '../../harness/random.ts';
import { until } from '../../support/until.ts';
import { checkTranscript } from '../crash/check-index.ts';
import { createTranscript } from '../crash/transcript.ts';

/** How many agents are killed before a drain (background indexing) runs. */
const agentsPerDrain = 50;

/**
 * Each agent is a process group of its own: a shell that writes a turn to the transcript, starts the three hooks of the
 * turn without waiting for them, and is killed with them at a random moment.
 */
export async function killAgents(options: { home: Home; prose: Prose; seed: number; agents: number }) {
  const { home, prose, seed, agents } = options;
  const random = createRandom(seed * 17 + 3);
  const path = join(home.home, '.claude', 'projects', 'x', 'session.jsonl');
  const transcript = createTranscript(path, home.repo, prose);
  const where = { cwd: home.repo, session: transcript.session, transcript: path };
  home.hook(sessionStartInput(where));
  const folder = temporaryFolder('agents');
  const acknowledged: string[] = [];
  let [recorded, unrecorded] = [0, 0];
  let lifeMs = 0;
  for (let at = 0; at < agents; at++) {
    const turn = transcript.addTurn(random);
    const inputs = [
      promptInput(where, turn.id, turn.prompt),
      commandInput(where, turn.id, `tool-${at}`, `npm test ${at}`),
      stopInput(where, turn.id, turn.answer),
    ];
    const files = inputs.map((input, number) => {
      const file = join(folder, String(number));
      writeFileSync(file, JSON.stringify(input));
      rmSync(`${file}.ack`, { force: true });
      return file;
    });
    // Hooks that end a turn start no drain while this marker is fresh.
    writeFileSync(join(home.projectFolder(), 'drain.running'), '');
    // Each number of hooks that have recorded is hit, however busy the machine is. Before the first one, moments are
    // spread over the time that hooks took last.
    const recordedFirst = at === 0 ? files.length : random.whole(0, files.length);
    const ms = await killGroup(home, files, recordedFirst, random.next() ** 2 * lifeMs);
    if (recordedFirst === files.length) lifeMs = ms;
    for (const file of files) {
      const ids = readFileSync(`${file}.ack`, 'utf8').split('\n').slice(0, -1);
      acknowledged.push(...ids);
      if (ids.length > 0) recorded++;
      else unrecorded++;
    }
    if (at % agentsPerDrain === agentsPerDrain - 1 || at === agents - 1) await drain(home);
    showProgress(at + 1, agents);
  }
  const { log } = openProject(home.projectFolder());
  return { killed: agents, recorded, unrecorded, ...checkTranscript(log, transcript.expected, acknowledged) };
}

/** Kills the group when so many of its hooks have recorded; with none, after the delay. Returns how long it lived. */
async function killGroup(
  { repo, env, program }: Home,
  files: string[],
  recordedFirst: number,
  delayMs: number,
): Promise<number> {
  const hooks = files.map(
    (file) => `"${process.execPath}" "${program('hook.cjs')}" <"${file}" 3>"${file}.ack" &`,
  );
  const agent = spawn('/bin/sh', ['-c', `${hooks.join('\n')}\nsleep 86400`], {
    cwd: repo,
    env: { ...env, BACKSTORY_ACK_FD: '3' },
    stdio: 'ignore',
    detached: true,
  });
  const ended = new Promise((resolve) => agent.on('exit', resolve));
  // The shell has started a hook when it has opened its file.
  await until(() => files.every((file) => existsSync(`${file}.ack`)), 'a hook did not start');
  const started = performance.now();
  const hasRecorded = (file: string): boolean => readFileSync(`${file}.ack`, 'utf8') !== '';
  if (recordedFirst === 0) await sleep(delayMs);
  else await until(() => files.filter(hasRecorded).length >= recordedFirst, 'a hook did not record');
  const ms = performance.now() - started;
  process.kill(-(agent.pid as number), 'SIGKILL');
  await ended;
  return ms;
}

async function drain(home: Home): Promise<void> {
  rmSync(join(home.projectFolder(), 'drain.running'), { force: true });
  const { code } = await home.startDrain().ended;
  if (code !== 0) throw new Error(`the drain ended with ${code}`);
}
