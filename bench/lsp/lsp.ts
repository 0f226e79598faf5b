import { join } from 'node:path';
import { atLeast, atMost, type Evaluation, exactly, round } from '../../test/harness/evaluation.ts';
import { createHome } from '../../test/harness/home.ts';
import { startLsp } from '../../test/harness/lsp-client.ts';
import { installPackage } from '../../test/harness/package.ts';
import { createRandom } from '../../test/harness/random.ts';
import { startServing } from '../../test/harness/serving.ts';
import { createDataSet } from '../viewer/data-set.ts';

const maxHoverMs = 150;

/** The language server over stdio: how long a hover takes, and whether it agrees with the page of the file. */
export const lsp: Evaluation = {
  name: 'lsp',
  summary:
    'Hover in an editor: time in a file of 2,000 lines with 200 sessions, and agreement with the viewer.',
  file: import.meta.filename,
  measures: ['src/lsp', 'src/why', 'src/drift', 'src/git', 'src/cmd/lsp.ts'],
  async run({ isShort, seed }) {
    const home = createHome(installPackage());
    const size = isShort ? { sessions: 40, notes: 500 } : { sessions: 200, notes: 5_000 };
    const data = await createDataSet(home, { ...size, random: createRandom(seed) });
    const { url, headers } = await startServing(home);
    const story = (await (
      await fetch(`${url}/api/v1/viewer/file/story?path=${encodeURIComponent(data.longFile)}`, { headers })
    ).json()) as {
      blocks: { from: number; to: number; origin: number }[];
      origins: { session?: { agentSession: string }; commit?: { hash: string } }[];
    };
    const file = join(home.repo, data.longFile);
    const editor = await startLsp(home.program('main.js'), { cwd: home.repo, env: home.env });
    const opened = performance.now();
    await editor.open(file);
    await editor.hover(file, 1);
    const firstMs = performance.now() - opened;
    const times: number[] = [];
    let different = 0;
    for (const { from, to, origin } of story.blocks)
      for (let line = from; line <= to; line++) {
        const started = performance.now();
        const text = (await editor.hover(file, line)).replaceAll('\\', '');
        times.push(performance.now() - started);
        const { session, commit } = story.origins[origin] ?? {};
        const by = session === undefined ? 'no agent session' : session.agentSession.slice(0, 8);
        if (!text.includes(by) || !text.includes(commit?.hash.slice(0, 12) ?? '')) different++;
      }
    await editor.end();
    times.sort((a, b) => a - b);
    const p95 = round(times[Math.floor(times.length * 0.95)] ?? 0);
    return {
      n: times.length,
      figures: {
        sessions: data.sessions,
        hoverMedianMs: round(times[Math.floor(times.length / 2)] ?? 0),
        hoverP95Ms: p95,
        hoverSlowestMs: round(times.at(-1) ?? 0),
        firstHoverMs: round(firstMs),
      },
      bars: {
        lines: atLeast(times.length, 2_000),
        // It depends on how busy the machine is, so only a full run, on a quiet machine, judges it.
        ...(isShort ? {} : { hoverP95Ms: atMost(p95, maxHoverMs) }),
        differentFromPage: exactly(different, 0),
      },
    };
  },
};
