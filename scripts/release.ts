import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { allUnpinnedActions, allUnpinnedImages } from './pins.ts';
import { currentSbom } from './sbom.ts';

/** Runs all checks that a release needs, then prints the command that publishes it. */
const run = (command: string, ...args: string[]): void => {
  execFileSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' });
};

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
if (!readFileSync('CHANGELOG.md', 'utf8').includes(`## ${version}`)) {
  throw new Error(`CHANGELOG.md has no section for ${version}`);
}
const unpinned = [...allUnpinnedActions(), ...allUnpinnedImages()];
if (unpinned.length > 0) {
  throw new Error(
    [
      'Pin these first, actions by commit and images by digest (see docker buildx imagetools inspect IMAGE):',
      ...unpinned.map((one) => `  ${one}`),
    ].join('\n'),
  );
}
run('npm', 'run', 'check');
run('npm', 'run', 'build');
run('npx', 'publint', '--strict');
run('npm', 'test');
run('npm', 'run', 'eval', '--', 'package-size', '--short');
run('npm', 'pack', '--dry-run', '--ignore-scripts');
const sbom = `release/backstory-${version}.cdx.json`;
mkdirSync('release', { recursive: true });
writeFileSync(sbom, `${JSON.stringify(currentSbom(new Date().toISOString()), null, 2)}\n`);
process.stdout.write(`\n${version} is ready: npm publish --provenance\nPublish the SBOM with it: ${sbom}\n`);
