import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { temporaryFolder } from '../../test/harness/cleanup.ts';

/**
 * The samples with which gitleaks tests its own rules, from its own generator. Its source is fetched from the Go module
 * proxy each time into a temporary folder and is not stored here.
 */
export interface GitleaksSample {
  rule: string;
  isPositive: boolean;
  path: string;
  text: string;
  /** Secrets that the rule itself finds in the text. */
  secrets: string[];
  /** Secrets that all rules of gitleaks find in it. */
  others: string[];
}

const module = 'github.com/zricethezav/gitleaks/v8@latest';

const go = (args: string[], cwd: string): string =>
  execFileSync('go', args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] });

function copySource(work: string): { source: string; version: string } {
  const { Dir, Version } = JSON.parse(go(['mod', 'download', '-json', module], work)) as {
    Dir: string;
    Version: string;
  };
  const source = join(work, 'source');
  cpSync(Dir, source, { recursive: true });
  execFileSync('chmod', ['-R', 'u+w', source]);
  return { source, version: Version };
}

/** Secrets that the gitleaks program finds in each text, with its own rules and one round of decoding. */
export function findWithGitleaks(texts: string[]): string[][] {
  const work = temporaryFolder('gitleaks');
  const { source } = copySource(work);
  const folder = join(work, 'texts');
  mkdirSync(folder);
  texts.forEach((text, at) => {
    writeFileSync(join(folder, `${at}.txt`), text);
  });
  const report = join(work, 'report.json');
  const options = [
    '--report-format',
    'json',
    '--report-path',
    report,
    '--exit-code',
    '0',
    '--max-decode-depth',
    '1',
  ];
  go(['run', '.', 'dir', folder, ...options], source);
  const found: string[][] = texts.map(() => []);
  for (const { File, Secret } of JSON.parse(readFileSync(report, 'utf8')) as {
    File: string;
    Secret: string;
  }[])
    found[Number(basename(File, '.txt'))]?.push(Secret);
  return found;
}

export function gitleaksSamples(): { version: string; samples: GitleaksSample[] } {
  const work = temporaryFolder('gitleaks');
  const { source, version } = copySource(work);
  writeFileSync(
    join(source, 'cmd', 'generate', 'config', 'utils', 'validate.go'),
    readFileSync(join(import.meta.dirname, 'collect-samples.go'), 'utf8'),
  );
  const lines = go(['run', '.', join(work, 'rules.toml')], join(source, 'cmd', 'generate', 'config'));
  const samples = lines
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as GitleaksSample);
  return { version, samples };
}
