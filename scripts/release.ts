import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { allUnpinnedActions, allUnpinnedImages } from './pins.ts';
import { currentSbom } from './sbom.ts';

/** Everything that must hold before a version is published; publishing itself is one command, printed at the end. */
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
      'Pin these first: actions by commit, images by digest (docker buildx imagetools inspect IMAGE shows it):',
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
process.stdout.write(
  `\n${version} is ready: npm publish --provenance\nPublish ${sbom} beside it: the packages it contains, in CycloneDX.\n`,
);
