import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import type { Embedder } from '../../src/models/embed.ts';
import { temporaryFolder } from '../../test/harness/cleanup.ts';
import { median, round } from '../../test/harness/evaluation.ts';

const model = 'assets/static-en.bin';

export interface Load {
  /** CPU time of loading the model and embedding one question, without the start of Node.js. */
  loadCpuMs: number;
  loadWallMs: number;
  /** Duration of a process that loads the model and embeds one question, divided by that of an empty program. */
  startRatio: number;
  bareMs: number;
}

/**
 * Measures loading the model in new processes, bundled as in the package. An empty program runs before each of them, as
 * the baseline.
 */
export function measureLoad(rounds: number): Load {
  const folder = temporaryFolder('static-model');
  const bundle = join(folder, 'static-embed.mjs');
  buildSync({
    entryPoints: ['src/models/static-embed.ts'],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
  });
  const program = join(folder, 'load.mjs');
  writeFileSync(
    program,
    `const begun = performance.now();
     const cpu = process.cpuUsage();
     const { loadStaticModel } = await import(${JSON.stringify(pathToFileURL(bundle).href)});
     await loadStaticModel(${JSON.stringify(resolve(model))}).embed(['why did we drop redis']);
     const { user, system } = process.cpuUsage(cpu);
     console.log((user + system) / 1000, performance.now() - begun);`,
  );
  const empty = join(folder, 'empty.mjs');
  writeFileSync(empty, '');
  const [bare, whole, cpu, wall]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (let at = 0; at < rounds; at++) {
    bare.push(run(empty).ms);
    const { ms, said } = run(program);
    whole.push(ms);
    const [cpuMs = Number.NaN, wallMs = Number.NaN] = said.split(' ').map(Number);
    cpu.push(cpuMs);
    wall.push(wallMs);
  }
  return {
    loadCpuMs: round(median(cpu)),
    loadWallMs: round(median(wall)),
    startRatio: round(median(whole) / median(bare)),
    bareMs: round(median(bare)),
  };
}

function run(program: string): { ms: number; said: string } {
  const begun = performance.now();
  const { stdout } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
  return { ms: performance.now() - begun, said: stdout };
}

export async function microsecondsPerText(embedder: Embedder, texts: string[]): Promise<number> {
  await embedder.embed(texts);
  const { user } = process.cpuUsage();
  await embedder.embed(texts);
  return round((process.cpuUsage().user - user) / texts.length);
}

export function sizes(): { modelMb: number; packedMb: number } {
  const bytes = readFileSync(model);
  return { modelMb: round(bytes.length / 1e6), packedMb: round(gzipSync(bytes).length / 1e6) };
}
