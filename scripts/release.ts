import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Everything that must hold before a version is published; publishing itself is one command, printed at the end. */
const run = (command: string, ...args: string[]): void => {
  execFileSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' });
};

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
if (!readFileSync('CHANGELOG.md', 'utf8').includes(`## ${version}`)) {
  throw new Error(`CHANGELOG.md has no section for ${version}`);
}
run('npm', 'run', 'check');
run('npm', 'run', 'build');
run('npx', 'publint', '--strict');
run('npm', 'test');
run('npm', 'run', 'eval', '--', 'package-size', '--short');
run('npm', 'pack', '--dry-run', '--ignore-scripts');
process.stdout.write(`\n${version} is ready: npm publish --provenance\n`);
