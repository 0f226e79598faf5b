import type { FileEdit } from '../../domain/tool-call.ts';
import { escapePattern } from '../../text/escape-pattern.ts';
import { type ProgramCall, programName } from './program-calls.ts';

const installers: Record<string, string[]> = {
  npm: ['install', 'i', 'in', 'add'],
  pnpm: ['install', 'i', 'add'],
  yarn: ['add', 'global add'],
  bun: ['install', 'i', 'add', 'a'],
  deno: ['add', 'install'],
  pip: ['install'],
  pip3: ['install'],
  pipx: ['install'],
  uv: ['add', 'pip install', 'tool install'],
  poetry: ['add'],
  pipenv: ['install'],
  pdm: ['add'],
  conda: ['install'],
  mamba: ['install'],
  cargo: ['add', 'install'],
  go: ['get', 'install'],
  gem: ['install'],
  bundle: ['add'],
  composer: ['require'],
  dotnet: ['add package'],
  flutter: ['pub add'],
  dart: ['pub add'],
  apt: ['install'],
  'apt-get': ['install'],
  apk: ['add'],
  brew: ['install'],
};

/** The packages that a call installs, in lower case and without versions. */
export function installedPackages({ program, words }: ProgramCall): string[] {
  const subcommand = installers[programName(program)]
    ?.map((text) => text.split(' '))
    .find((wanted) => wanted.every((word, at) => words[at] === word));
  return subcommand === undefined ? [] : words.slice(subcommand.length).map(bareName);
}

/** `lodash@^4`, `Requests==2.0`, `pkg[extra]` and `npm:lodash` without their versions and prefixes. */
const bareName = (word: string): string =>
  word
    .toLowerCase()
    .replace(/^(?:npm|jsr):/, '')
    .replace(/(?<=.)@.*$/s, '')
    .replace(/[=<>~!^[;].*$/s, '');

const jsonManifest = /(?:^|\/)(?:package|deno|composer|import_map)\.jsonc?$/;
const manifest =
  /(?:^|\/)(?:[\w.-]*requirements[\w.-]*\.txt|Pipfile|Gemfile|go\.mod|pyproject\.toml|Cargo\.toml|pubspec\.yaml)$/;

/** Whether an edit names a package in a manifest more often than before. */
export function addsDependency(name: string, { path, added, removed }: FileEdit): boolean {
  const isJson = jsonManifest.test(path);
  if (!isJson && !manifest.test(path)) return false;
  const escaped = escapePattern(name);
  const dependency = new RegExp(
    isJson
      ? `"${escaped}"\\s*:`
      : `(?:^[ \\t]*(?:gem[ \\t(]+|require[ \\t]+)?["']?|["'])${escaped}(?=["'\\s=<>~!:[;@]|$)`,
    'gim',
  );
  const count = (text: string): number => text.match(dependency)?.length ?? 0;
  return count(added) > count(removed);
}
