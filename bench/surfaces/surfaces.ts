import { recall } from '../../src/recall/recall.ts';
import { shortHitId } from '../../src/recall/render.ts';
import { quickLimits, type RecallParts } from '../../src/recall/with-index.ts';
import {
  atMost,
  type Evaluation,
  exactly,
  median,
  round,
  showProgress,
} from '../../test/harness/evaluation.ts';
import { createHome, type Home } from '../../test/harness/home.ts';
import { promptInput } from '../../test/harness/hook-input.ts';
import { installPackage } from '../../test/harness/package.ts';
import { createRandom } from '../../test/harness/random.ts';
import { startServing } from '../../test/harness/serving.ts';
import { inventWork } from '../retrieval/invented-work.ts';
import { writeProject } from '../retrieval/write-project.ts';
import { askCli, type Shown } from './ask-cli.ts';
import { type RecallClient, startRecallClient } from './recall-client.ts';

/**
 * Asks one memory the same question in four ways: in this process, over HTTP, over MCP and in a terminal. All must
 * return the same hits. The overhead of each way is the ratio of its time to that of the bare search for the same
 * question at the same moment.
 */
export const surfaces: Evaluation = {
  name: 'surfaces',
  summary: 'CLI, MCP and HTTP return the same hits; time to the first hit of each',
  async run({ isShort, seed }) {
    const home = createHome(installPackage());
    const { parts, questions } = fillMemory(home);
    const server = await startServer(home);
    const mcp = await startRecallClient(home);
    const asked = createRandom(seed)
      .shuffled(questions)
      .slice(0, isShort ? 20 : 200);
    const terminalEvery = isShort ? 5 : 4;
    await askAll(parts, server, mcp, 'warm up');
    const times: Record<Way, number[]> = { bare: [], http: [], mcp: [], cli: [] };
    const ratios: Record<Exclude<Way, 'bare'>, number[]> = { http: [], mcp: [], cli: [] };
    const others: string[] = [];
    for (const [at, text] of asked.entries()) {
      const answers = await askAll(parts, server, mcp, text);
      const cli = at % terminalEvery === 0 ? await timed(async () => typed(home, text)) : undefined;
      for (const [way, { ids, ms }] of Object.entries({
        ...answers,
        ...(cli === undefined ? {} : { cli }),
      })) {
        times[way as Way].push(ms);
        if (way === 'bare') continue;
        ratios[way as 'http'].push(ms / answers.bare.ms);
        if (!isSame(ids, answers.bare.ids)) others.push(`${way}: ${text}`);
      }
      showProgress(at + 1, asked.length);
    }
    await mcp.close();
    server.stop();
    const tries = asked.length * 2 + times.cli.length;
    return {
      n: tries,
      figures: {
        questions: asked.length,
        'agreement in per cent': round((100 * (tries - others.length)) / tries),
        'bare search, ms': round(median(times.bare)),
        'over HTTP, ms': round(median(times.http)),
        'over MCP, ms': round(median(times.mcp)),
        'in a terminal, ms': round(median(times.cli)),
        'MCP to bare': round(median(ratios.mcp)),
        'terminal to bare': round(median(ratios.cli)),
        ...Object.fromEntries(others.slice(0, 5).map((other, at) => [`other hits ${at + 1}`, other])),
      },
      bars: {
        'other hits': exactly(others.length, 0),
        'HTTP to bare': atMost(round(median(ratios.http)), 2),
      },
    };
  },
};

type Way = 'bare' | 'http' | 'mcp' | 'cli';

interface Timed {
  ids: string[];
  ms: number;
}

async function timed(ask: () => Promise<string[]>): Promise<Timed> {
  const started = performance.now();
  const ids = await ask();
  return { ids, ms: performance.now() - started };
}

/** One after another, so that each has the machine to itself. */
async function askAll(parts: RecallParts, server: Server, mcp: RecallClient, text: string) {
  return {
    bare: await timed(async () => {
      const { hits } = await recall(parts, { text, now: Date.now(), limit: 20 }, quickLimits);
      return hits.map(({ chunk }) => shortHitId(chunk));
    }),
    http: await timed(() => server.ask(text)),
    mcp: await timed(() => mcp.ask(text)),
  };
}

function typed(home: Home, text: string): Promise<string[]> {
  const cliResult = askCli(home, text);
  if ('error' in cliResult) throw new Error(cliResult.error);
  return Promise.resolve(cliResult.ids);
}

const isSame = (shown: string[], expected: string[]): boolean =>
  shown.length === expected.length && shown.every((id, at) => id === expected[at]);

function fillMemory(home: Home): { parts: RecallParts; questions: string[] } {
  // Turn off note extraction. Otherwise a drain (background indexing) could create notes between two of the answers
  // that are compared here.
  home.cli('config', 'distil', 'off');
  home.hook(promptInput({ cwd: home.repo, session: 'first' }, 'turn-1', 'Where do we begin?'));
  const { placed, questions } = inventWork();
  return { parts: writeProject(home.projectFolder(), placed).parts, questions };
}

interface Server {
  ask(text: string): Promise<string[]>;
  stop(): void;
}

async function startServer(home: Home): Promise<Server> {
  const { url, headers, child } = await startServing(home);
  return {
    async ask(query) {
      const words = new URLSearchParams({ query, limit: '20' });
      const response = await fetch(`${url}/api/v1/recall?${words}`, { headers });
      if (!response.ok) throw new Error(await response.text());
      return ((await response.json()) as { items: Shown[] }).items.map(shortHitId);
    },
    stop: () => child.kill(),
  };
}
