import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { showProgress } from '../../harness/evaluation.ts';
import { type Home, openProject } from '../../harness/home.ts';
import { promptInput, sessionStartInput, stopInput } from '../../harness/hook-input.ts';
import { type StartedProgram, sleep } from '../../harness/program.ts';
import { createRandom, type Random } from '../../harness/random.ts';
import { sampleNote } from '../../harness/sample-note.ts';
import { checkIndex, checkTranscript } from './check-index.ts';
import { type Campaign, logGrows } from './kill-hooks.ts';
import { createTranscript, type GrowingTranscript } from './transcript.ts';

interface IndexOutcome {
  kills: number;
  killedAtWork: number;
  killedWhileIngesting: number;
  drainsThatEnded: number;
  logMb: number;
  /** How often the index was rebuilt. A kill must not cause a rebuild. */
  indexGeneration: number;
  indexEqualsRebuild: number;
  indexIsSound: number;
  transcriptLost: number;
  transcriptDoubled: number;
  hookEventsLost: number;
}

const firstTurns = 150;

/**
 * Adds events to a project in several ways and repeatedly kills the drain, the background process that indexes them.
 */
export async function killDrains({ home, prose, seed, kills }: Campaign): Promise<IndexOutcome> {
  const random = createRandom(seed * 31 + 7);
  const path = join(home.home, '.claude', 'projects', 'x', 'session.jsonl');
  const transcript = createTranscript(path, home.repo, prose);
  const where = { cwd: home.repo, session: transcript.session, transcript: path };
  home.hook(sessionStartInput(where));
  const { notes } = openProject(home.projectFolder());
  for (let at = 0; at < firstTurns; at++) transcript.addTurn(random);
  await home.startDrain().ended;
  const acknowledged = await grow(home, transcript, where, random);
  // Kills are spread over a little more than the time of a whole run, so that its last steps are hit too.
  const lifeMs = (await home.startDrain().ended).wallMs * 1.25;
  const count = { kills: 0, killedAtWork: 0, killedWhileIngesting: 0, drainsThatEnded: 0 };
  while (count.kills < kills) {
    acknowledged.push(...(await grow(home, transcript, where, random)));
    if (random.chance(0.1)) await notes.put(sampleNote(random.whole(0, 20), prose, random));
    const marker = join(home.projectFolder(), 'drain.running');
    rmSync(marker, { force: true });
    const before = openProject(home.projectFolder()).log.end();
    const program = home.startDrain();
    await killAtSomeMoment(home, program, random, lifeMs);
    const wasAtWork = existsSync(marker);
    const { signal } = await program.ended;
    if (signal === 'SIGKILL') {
      count.kills++;
      if (wasAtWork) count.killedAtWork++;
      if (grew(before, openProject(home.projectFolder()).log.end())) count.killedWhileIngesting++;
    } else count.drainsThatEnded++;
    showProgress(count.kills, kills);
  }
  await drainToTheEnd(home);
  const parts = openProject(home.projectFolder());
  return {
    ...count,
    logMb: Math.round((Object.values(parts.log.end())[0] ?? 0) / 1024 / 1024),
    indexGeneration: generationOf(home),
    ...(await checkIndex(home.projectFolder())),
    ...checkTranscript(parts.log, transcript.expected, acknowledged),
  };
}

/** A drain ends after a minute, done or not, so a busy machine needs several. */
async function drainToTheEnd(home: Home): Promise<void> {
  for (let [before, now] = ['', '-']; before !== now; ) {
    const { code } = await home.startDrain().ended;
    if (code !== 0) throw new Error(`the last drain ended with ${code}`);
    before = now;
    now = JSON.stringify(openProject(home.projectFolder()).log.end());
  }
}

const grew = (before: Record<string, number>, after: Record<string, number>): boolean =>
  Object.entries(after).some(([file, size]) => size > (before[file] ?? 0));

/**
 * Extends the transcript; hooks report a part of it too, as in a real session. Returns the ids that hooks acknowledged.
 */
async function grow(
  home: Home,
  transcript: GrowingTranscript,
  where: { cwd: string; session: string; transcript: string },
  random: Random,
): Promise<string[]> {
  const acknowledged: string[] = [];
  for (let added = random.whole(1, 6); added > 0; added--) {
    const turn = transcript.addTurn(random);
    if (!random.chance(0.15)) continue;
    const input = random.chance(0.5)
      ? promptInput(where, turn.id, turn.prompt)
      : // Not Stop, which would start a drain of its own.
        { ...stopInput(where, turn.id, turn.answer), hook_event_name: 'SubagentStop', agent_type: 'main' };
    acknowledged.push(...(await home.startHook(input).ended).acknowledged);
  }
  if (random.chance(0.2)) transcript.writeHalf();
  return acknowledged;
}

async function killAtSomeMoment(
  home: Home,
  { child, ended }: StartedProgram,
  random: Random,
  lifeMs: number,
): Promise<void> {
  const isAimed = random.chance(0.3);
  const delayMs = random.next() * lifeMs;
  if (isAimed) await logGrows(home, () => child.exitCode === null);
  await Promise.race([sleep(isAimed ? delayMs / 10 : delayMs), ended]);
  child.kill('SIGKILL');
}

function generationOf(home: Home): number {
  const names = readdirSync(join(home.projectFolder(), 'index'));
  return Math.max(...names.map((name) => Number(/-(\d+)\.db$/.exec(name)?.[1] ?? 0)));
}
