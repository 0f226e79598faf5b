import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { atLeast, atMost, type Evaluation, exactly, round } from '../../test/harness/evaluation.ts';
import { createHome } from '../../test/harness/home.ts';
import { writeTranscript } from '../../test/harness/import-transcript.ts';
import { installPackage } from '../../test/harness/package.ts';
import { createProse } from '../../test/harness/prose.ts';
import { createRandom } from '../../test/harness/random.ts';

const mega = 1024 * 1024;

/** The baseline: a program that reads and parses the same lines and does nothing else. */
const bareReader = `
const { readLines } = await import(process.argv[1]);
let records = 0;
for (const line of readLines(process.argv[2], 0, { maxLineBytes: 1 << 24 })) { JSON.parse(line.bytes.toString('utf8')); records++; }
console.log(records);`;

interface Measured {
  wallMs: number;
  peakMb: number;
  stdout: string;
}

/** Elapsed time and peak memory, as recorded by the kernel. */
function measure(args: string[], options: { cwd: string; env: Record<string, string> }): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
    let stdout = '';
    let peakMb = 0;
    const look = () => {
      try {
        const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
        peakMb = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024 || peakMb;
      } catch {
        // The process has ended.
      }
    };
    const timer = setInterval(look, 50);
    child.stdout.on('data', (data) => {
      stdout += data;
    });
    child.on('error', reject);
    child.on('close', () => {
      clearInterval(timer);
      resolve({ wallMs: performance.now() - started, peakMb, stdout });
    });
  });
}

export const importLarge: Evaluation = {
  name: 'import-large',
  summary:
    'One large transcript: memory and speed of import compared with reading and parsing the same lines.',
  file: import.meta.filename,
  measures: [
    'src/memory/capture/import-transcripts.ts',
    'src/memory/capture/read-transcripts.ts',
    'src/memory/capture/capture.ts',
    'src/memory/redact',
    'src/agents/claude-code',
    'src/store/events',
    'src/base/lines.ts',
    'src/cli/import.ts',
  ],
  async run({ isShort, seed }) {
    const random = createRandom(seed);
    const home = createHome(installPackage());
    const path = join(home.home, '.claude/projects/large/11111111-1111-4111-8111-111111111111.jsonl');
    const wanted = (isShort ? 64 : 1024) * mega;
    const session = { cwd: home.repo, session: 'large', bytes: wanted };
    const { bytes, turns } = writeTranscript(path, session, createProse(random), random);
    const options = { cwd: home.repo, env: home.env };
    const reader = new URL('../../src/base/lines.ts', import.meta.url).href;
    const script = ['--input-type=module', '-e', bareReader, '--', reader, path];
    const before = await measure(script, options);
    const imported = await measure([home.program('main.js'), 'import', '--json'], options);
    const after = await measure(script, options);
    const again = await measure([home.program('main.js'), 'import', '--json'], options);
    const bareMs = Math.min(before.wallMs, after.wallMs);
    const { events, readMs } = JSON.parse(imported.stdout) as { events: number; readMs: number };
    const repeated = (JSON.parse(again.stdout) as { events: number }).events;
    const figures = {
      transcriptMb: round(bytes / mega),
      turns,
      events,
      bareMbPerSecond: round(bytes / mega / (bareMs / 1000)),
      importMbPerSecond: round(bytes / mega / (readMs / 1000)),
      withIndexingMbPerSecond: round(bytes / mega / (imported.wallMs / 1000)),
      barePeakMb: round(before.peakMb),
    };
    return {
      n: turns,
      figures,
      bars: {
        peakMb: atMost(round(imported.peakMb), 256),
        // Import into the log only; indexing runs afterwards and is reported separately.
        speedRatio: atLeast(round(bareMs / readMs), 0.3),
        eventsMissing: exactly(turns * 5 - events, 0),
        eventsRepeated: exactly(repeated, 0),
      },
    };
  },
};
