import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { thoroughLimits } from '../../src/recall/with-index.ts';
import { why } from '../../src/why/why.ts';
import { onEnd } from '../../test/harness/cleanup.ts';
import { median, round } from '../../test/harness/evaluation.ts';
import type { Random } from '../../test/harness/random.ts';
import { commitAll, editAs } from '../../test/support/agent-edits.ts';
import { createMemoryHome } from '../../test/support/memory-home.ts';
import { git } from '../../test/support/sandbox.ts';
import { trackedSources } from './donors.ts';
import { repositoryOf } from './repositories.ts';
import { Shadow } from './shadow.ts';

/** A history of tens of thousands of commits; only a part of its tree is checked out. */
const large = { name: 'django/django', part: 'django/db' };
const questionCount = 100;
const sessions = 40;

/** Time of `why` as a multiple of `git blame` for the same line, one right after the other. */
export async function timeWhy(
  histories: string,
  folder: string,
  random: Random,
): Promise<{ ratio: number; blameMs: number }> {
  const source = repositoryOf(histories, large.name);
  if (source === undefined) throw new Error(`no history of ${large.name} under ${histories}`);
  const work = join(folder, 'large');
  execFileSync('git', ['clone', '-q', '--shared', '--no-checkout', source, work], { stdio: 'ignore' });
  git(work, 'symbolic-ref', 'HEAD', 'refs/heads/trunk');
  git(work, 'update-ref', 'refs/heads/trunk', 'refs/remotes/origin/HEAD');
  git(work, 'sparse-checkout', 'set', '--no-cone', `/${large.part}/`);
  git(work, 'checkout', '-q', 'trunk');
  const memory = createMemoryHome();
  onEnd(memory.remove);
  memory.work = work;
  const files = trackedSources(work).filter((path) => path.startsWith(`${large.part}/`));
  const shadow = new Shadow(work);
  for (let at = 0; at < sessions; at++) {
    const path = random.pick(files);
    const lines = shadow.onDisk(path);
    lines.splice(random.whole(0, lines.length), 0, `# reconsidered in session ${at}, for the reason given`);
    editAs(memory, `session-${at}`, `turn-${at}`, path, `${lines.join('\n')}\n`);
  }
  commitAll(memory, 'Reconsidered');
  const parts = memory.open();
  const ratios: number[] = [];
  const blames: number[] = [];
  for (let at = 0; at < questionCount; at++) {
    const path = random.pick(files.filter((each) => shadow.onDisk(each).length > 0));
    const line = random.whole(1, shadow.onDisk(path).length);
    const start = performance.now();
    execFileSync('git', ['blame', '--porcelain', '-w', '-C', '-L', `${line},${line}`, '--', path], {
      cwd: work,
    });
    const between = performance.now();
    await why(
      { parts, root: work },
      { path, range: { from: line, to: line } },
      { now: memory.clock.now(), limits: thoroughLimits },
    );
    const end = performance.now();
    ratios.push((end - between) / (between - start));
    blames.push(between - start);
  }
  return { ratio: round(median(ratios)), blameMs: round(median(blames)) };
}
