import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { gates } from '../bench/evaluations.ts';
import { testGroups } from '../test/groups.ts';
import { readPasses, unproven } from '../test/harness/passes.ts';
import { allUnpinnedActions, allUnpinnedImages } from './pins.ts';
import { outdatedNumbers } from './readme-numbers.ts';
import { writeReleaseFiles } from './release-files.ts';
import { checkGithubFiles, readPackage, repositoryAddress } from './repository.ts';
import { currentSbom } from './sbom.ts';

/**
 * Refuses what `.ci/run all` has not passed, runs what it leaves out and writes the files of a release to `release`. The
 * workflow `release.yml`, which starts when a tag is pushed, has run the tests before and calls it with `--files-only`.
 */
const run = (command: string, ...args: string[]): void => {
  execFileSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' });
};

/** What `.ci/run all` does not run because it takes long or needs a quiet machine. */
const evaluations = ['import-large', 'code-search-small', 'team-load'];

function check(): void {
  const own = readPackage();
  checkGithubFiles(repositoryAddress(own), (path) => readFileSync(path, 'utf8'));
  if (!readFileSync('CHANGELOG.md', 'utf8').includes(`## ${own.version}`))
    throw new Error(`CHANGELOG.md has no section for ${own.version}`);
  const tag = process.env.GITHUB_REF_NAME;
  if (tag !== undefined && tag !== `v${own.version}`)
    throw new Error(`The tag is ${tag}, but the version in package.json is ${own.version}`);
  const outdated = outdatedNumbers();
  if (outdated.length > 0)
    throw new Error(
      `The README's numbers are older than the code. Run on a quiet machine, and then \`npm run docs\`: ${outdated.map((name) => `npm run eval -- ${name}`).join('; ')}`,
    );
  const missing = unproven([...gates, ...Object.keys(testGroups)], readPasses());
  if (missing.length > 0)
    throw new Error(`Run \`bash .ci/run all\` and commit .ci/passes.json:\n  ${missing.join('\n  ')}`);
  const unpinned = [...allUnpinnedActions(), ...allUnpinnedImages()];
  if (unpinned.length > 0)
    throw new Error(
      [
        'Pin these first, actions by commit and images by digest (see docker buildx imagetools inspect IMAGE):',
        ...unpinned.map((one) => `  ${one}`),
      ].join('\n'),
    );
}

try {
  check();
} catch (error) {
  process.stderr.write(`Not released. ${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}

if (!process.argv.includes('--files-only')) {
  run('npm', 'run', 'mutants');
  for (const name of evaluations) run('npm', 'run', 'eval', '--', name, '--short');
}
const own = readPackage();
rmSync('release', { recursive: true, force: true });
mkdirSync('release');
run(process.execPath, 'scripts/pack.ts', 'release');
const files = writeReleaseFiles(own, 'release', currentSbom(new Date().toISOString()));
process.stdout.write(
  `\n${own.version} is ready: push the tag v${own.version}, and the workflow publishes it.\nBy hand: npm publish ./release/${own.name}-${own.version}.tgz --provenance --access public\nPublished with it: ${files.join(', ')}\n`,
);
