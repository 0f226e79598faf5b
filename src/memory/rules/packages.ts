import type { FileEdit } from '../../domain/tool-call.ts';
import { escapePattern } from '../../text/escape-pattern.ts';
import { listed, type ProgramCall, programName } from './program-calls.ts';

const managers = listed(
  'npm pnpm yarn bun deno pip pip3 pipx uv poetry pipenv pdm conda mamba cargo go gem bundle composer dotnet flutter dart apt apt-get apk brew',
);
/** Before them some managers have another word, as in `uv pip install` and `yarn global add`. */
const installing = listed('install i in add a get require');
const before = listed('global pip tool pub');

/** The packages that a call installs, in lower case and without versions. */
export function installedPackages({ program, words }: ProgramCall): string[] {
  const at = words.findIndex((word) => !before.has(word));
  const isInstalling = managers.has(programName(program)) && installing.has(words[at] ?? '');
  return isInstalling ? words.slice(at + 1).map(bareName) : [];
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
