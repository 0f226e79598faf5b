import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../test/harness/cleanup.ts';
import { linuxSource, listedFiles, npmTree } from '../../test/harness/corpora.ts';
import { atMost, type Evaluation, round } from '../../test/harness/evaluation.ts';

/** The cost of building the index, as counted by the kernel for a separate process. */
export const codeIndex: Evaluation = {
  name: 'code-index',
  summary: 'Building the code index of the Linux kernel and of a small tree: CPU, size, memory; and a delta.',
  async run({ isShort }) {
    const small = await build(npmTree('date-fns@4.1.0'));
    const delta = await deltaOf(npmTree('date-fns@4.1.0'), 1_000);
    const figures: Record<string, number> = {
      smallFiles: small.files,
      smallCpuS: round(small.cpuMs / 1_000),
      smallMb: round(small.mb),
      deltaCpuMs: Math.round(delta),
    };
    const bars = {
      smallCpuS: atMost(figures.smallCpuS ?? 0, 1),
      deltaCpuMs: atMost(figures.deltaCpuMs ?? 0, 250),
    };
    if (isShort) return { n: 2, figures, bars };
    const kernel = await build(linuxSource());
    return {
      n: 3,
      figures: { ...figures, kernelFiles: kernel.files, kernelWallS: round(kernel.wallMs / 1_000) },
      bars: {
        ...bars,
        kernelCpuS: atMost(round(kernel.cpuMs / 1_000), 15),
        kernelMb: atMost(round(kernel.mb), 110),
        kernelRssMb: atMost(Math.round(kernel.rssMb), 450),
      },
    };
  },
};

interface Built {
  files: number;
  cpuMs: number;
  wallMs: number;
  mb: number;
  rssMb: number;
}

async function build(root: string): Promise<Built> {
  const folder = temporaryFolder('code-index');
  return measure({ root, folder, paths: listedFiles(root) });
}

/** Appends to files and indexes them as one delta. Returns the cost without that of a process that indexes nothing. */
async function deltaOf(tree: string, count: number): Promise<number> {
  const root = join(temporaryFolder('delta'), 'tree');
  cpSync(tree, root, { recursive: true });
  const paths = listedFiles(root)
    .filter((path) => path.endsWith('.js'))
    .slice(0, count);
  for (const path of paths) appendFileSync(join(root, path), '\n// changed\n');
  const folder = temporaryFolder('delta-index');
  const nothing = await measure({ root, folder, paths: [] });
  const delta = await measure({ root, folder, paths });
  return delta.cpuMs - nothing.cpuMs;
}

async function measure({
  root,
  folder,
  paths,
}: {
  root: string;
  folder: string;
  paths: string[];
}): Promise<Built> {
  const started = performance.now();
  const program = join(import.meta.dirname, 'measured-job.ts');
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (data) => {
    output += data;
  });
  child.stdin.end(JSON.stringify({ kind: 'build', request: { root, folder, name: 'x', paths } }));
  await new Promise((resolve) => child.on('close', resolve));
  const { cpuMs, rssMb } = JSON.parse(output) as { cpuMs: number; rssMb: number };
  const bytes = Number(execFileSync('du', ['-sb', folder], { encoding: 'utf8' }).split('\t')[0]);
  if (readdirSync(folder).length === 0 && paths.length > 0) throw new Error('nothing was built');
  return { files: paths.length, cpuMs, wallMs: performance.now() - started, mb: bytes / 1e6, rssMb };
}
