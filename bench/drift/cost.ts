import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkedRecall } from '../../src/drift/checked-recall.ts';
import type { CheckedCode } from '../../src/drift/current-code.ts';
import { recall } from '../../src/recall/recall.ts';
import { thoroughLimits } from '../../src/recall/with-index.ts';
import { onEnd } from '../../test/harness/cleanup.ts';
import { median, round } from '../../test/harness/evaluation.ts';
import { commitAll, editAs, put } from '../../test/support/agent-edits.ts';
import { createMemoryHome } from '../../test/support/memory-home.ts';
import { suitableFiles } from './blocks.ts';

const rounds = 15;
const files = 20;

/** Measures the CPU time that checking for drift adds to a question with twenty hits, without the time of git. */
export async function costOfChecking(work: string): Promise<Record<string, number>> {
  const memory = createMemoryHome();
  onEnd(memory.remove);
  memory.work = work;
  memory.clock.set(Date.now());
  const paths = suitableFiles(work).slice(0, files);
  for (const [at, path] of paths.entries()) {
    const common = { session_id: `cost-${at}`, prompt_id: `turn-${at}` };
    const lines = readFileSync(join(work, path), 'utf8').split('\n');
    memory.prompt(`Explain the queue in ${path}.`, common);
    const added = Array.from(
      { length: 6 },
      (_, line) => `// the queue of part ${at} keeps rule ${line} of ${path}`,
    );
    editAs(
      memory,
      `cost-${at}`,
      `turn-${at}`,
      path,
      [...lines.slice(0, 20), ...added, ...lines.slice(20)].join('\n'),
    );
    memory.answer(`The queue is explained in part ${at}.`, common);
  }
  commitAll(memory, 'Explained');
  await memory.drain();
  const inPlace = await addedCpuMs(memory.open(), { root: work, key: memory.open().device.key });
  for (const path of paths)
    put(memory, path, `// above\n// all\n// else\n// here\n${readFileSync(join(work, path), 'utf8')}`);
  const shifted = await addedCpuMs(memory.open(), { root: work, key: memory.open().device.key });
  return {
    'own CPU of a question, ms': inPlace.plain,
    'own CPU added where all code stands in place, ms': inPlace.added,
    'own CPU added where none does, ms': shifted.added,
  };
}

async function addedCpuMs(
  parts: Parameters<typeof recall>[0],
  code: CheckedCode,
): Promise<{ plain: number; added: number }> {
  const query = { text: 'how is the queue explained', limit: 20 };
  const plain: number[] = [];
  const checked: number[] = [];
  for (let round = 0; round < rounds; round++) {
    plain.push(await cpuMs(() => recall(parts, query, thoroughLimits)));
    checked.push(
      await cpuMs(() => checkedRecall(parts, query, thoroughLimits, { ...code, budgetMs: 60_000 })),
    );
  }
  return { plain: round(median(plain)), added: round(median(checked) - median(plain)) };
}

async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
