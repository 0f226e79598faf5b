import { execFileSync } from 'node:child_process';

/** Builds the package and packs it into a folder, as for publishing: `node scripts/pack.ts FOLDER`. */
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Usage: node scripts/pack.ts FOLDER');
execFileSync(process.execPath, ['scripts/build.ts'], { stdio: 'inherit' });
execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], {
  stdio: ['ignore', 'ignore', 'inherit'],
  shell: process.platform === 'win32',
});
