import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * Writes the files with which Windows starts the commands of a package, `backstory.cmd` for cmd.exe, `backstory.ps1` for
 * PowerShell and `backstory` for Git Bash, with the code with which npm does it on Windows.
 * Usage: `node write-command-files.ts NODE_MODULES NPM_FOLDER`.
 */
const [modules = '', npm = ''] = process.argv.slice(2);
const writeCommandFiles = createRequire(join(npm, 'package.json'))('cmd-shim') as (
  from: string,
  to: string,
) => Promise<void>;
const { bin } = JSON.parse(readFileSync(join(modules, 'backstory', 'package.json'), 'utf8')) as {
  bin: Record<string, string>;
};
mkdirSync(join(modules, '.commands'), { recursive: true });
for (const [name, program] of Object.entries(bin))
  await writeCommandFiles(join(modules, 'backstory', program), join(modules, '.commands', name));
