import { join } from 'node:path';
import { atLeast, type Evaluation, exactly, round } from '../../harness/evaluation.ts';
import { createHome, type Home } from '../../harness/home.ts';
import { writeTranscript } from '../../harness/import-transcript.ts';
import { installPackage } from '../../harness/package.ts';
import { sleep, startProgram } from '../../harness/program.ts';
import { createProse } from '../../harness/prose.ts';
import { createRandom, type Random } from '../../harness/random.ts';

const sessions = 12;
const sessionBytes = 1024 * 1024;

/** Writes the same transcripts to any home. Only the working folder in them differs. */
function fill(home: Home, random: Random): void {
  const prose = createProse(random);
  for (let at = 0; at < sessions; at++) {
    const path = join(home.home, `.claude/projects/crash/0000000${at.toString(16)}.jsonl`);
    writeTranscript(path, { cwd: home.repo, session: `s${at}`, bytes: sessionBytes }, prose, random);
  }
}

const idsIn = (home: Home): string[] => home.events().map(({ id }) => id);

export const importCrash: Evaluation = {
  name: 'import-crash',
  summary: 'Import killed at random points and restarted: the same events as without a kill.',
  async run({ isShort, seed }) {
    const kills = isShort ? 20 : 200;
    const installed = installPackage();
    const whole = createHome(installed);
    fill(whole, createRandom(seed));
    const started = performance.now();
    whole.json('import');
    const wallMs = performance.now() - started;
    const wanted = idsIn(whole);

    const random = createRandom(seed + 1);
    let killed = 0;
    let finished = 0;
    let home = createHome(installed);
    fill(home, createRandom(seed));
    let lost = 0;
    let doubled = 0;
    const check = () => {
      home.json('import');
      const ids = idsIn(home);
      const found = new Set(ids);
      lost += wanted.filter((id) => !found.has(id)).length;
      doubled += ids.length - found.size;
    };
    while (killed < kills) {
      const program = startProgram([home.program('main.js'), 'import'], { cwd: home.repo, env: home.env });
      const timer = sleep(random.next() * wallMs * 0.6).then(() => program.child.kill('SIGKILL'));
      const { signal } = await program.ended;
      await timer;
      if (signal === 'SIGKILL') killed += 1;
      else finished += 1;
      // An import that completed cannot be interrupted any more, so the next one starts from scratch.
      if (signal !== 'SIGKILL') {
        check();
        home = createHome(installed);
        fill(home, createRandom(seed));
      }
    }
    check();
    return {
      n: killed,
      figures: { wholeImportMs: round(wallMs), finishedInBetween: finished, events: wanted.length },
      bars: {
        kills: atLeast(killed, kills),
        eventsLost: exactly(lost, 0),
        eventsDoubled: exactly(doubled, 0),
      },
    };
  },
};
