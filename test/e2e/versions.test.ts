import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { sha256 } from '../../src/base/ids.ts';
import { isForPerson, runAsPerson } from '../support/person.ts';
import { createSandbox, type Sandbox } from '../support/sandbox.ts';

const root = inject('installedPackage');
const other = `${root}-other`;
let sandbox: Sandbox;

/** Builds the same sources with another index schema, like a later release. */
beforeAll(() => {
  execFileSync(process.execPath, ['scripts/build.ts', '--salt', 'other', '--out', join(other, 'dist')]);
  writeFileSync(join(other, 'package.json'), readFileSync(join(root, 'package.json')));
});
afterAll(() => rmSync(other, { recursive: true, force: true }));
afterEach(() => sandbox.remove());

interface Recalled {
  hits: { text: string }[];
  arms: { lexical: string; tail: string };
}

const run = (version: string, program: string, args: string[], input = '') => {
  const [words, where] = [[join(version, 'dist', program), ...args], { cwd: sandbox.repo, env: sandbox.env }];
  const ran = isForPerson(args)
    ? runAsPerson(words, where)
    : spawnSync(process.execPath, words, { ...where, input, encoding: 'utf8' });
  expect(ran.status, ran.stderr).toBe(0);
  return ran.stdout;
};
const say = (version: string, text: string, turn: string): string =>
  run(
    version,
    'hook.cjs',
    [],
    JSON.stringify({
      hook_event_name: 'UserPromptSubmit',
      session_id: 's',
      prompt_id: turn,
      cwd: sandbox.repo,
      prompt: text,
    }),
  );
const ask = (version: string, text: string): Recalled =>
  JSON.parse(run(version, 'main.js', ['recall', text, '--json'])) as Recalled;

/** The index files by schema, with a hash of their contents. */
function indexFiles(): Map<string, Record<string, string>> {
  const folder = join(sandbox.projectFolder(), 'index');
  const files = new Map<string, Record<string, string>>();
  for (const name of readdirSync(folder).sort()) {
    const schema = /s[0-9a-f]{10}/.exec(name)?.[0] ?? '';
    files.set(schema, { ...files.get(schema), [name]: sha256(readFileSync(join(folder, name))) });
  }
  return files;
}

describe('two versions in one home', () => {
  it("[versions-side-by-side] take turns 50 times: neither rebuilds or changes the other's index, and both find the newest event", () => {
    sandbox = createSandbox(root);
    run(root, 'main.js', ['install', 'claude-code']);
    const versions = [root, other];
    for (const [at, version] of versions.entries()) {
      say(version, `opening words${at} of the first turn`, `open-${at}`);
      ask(version, 'opening');
    }
    const databases = () =>
      [...indexFiles().values()].map((files) => Object.keys(files).filter((name) => name.endsWith('.db')));
    const first = databases();
    expect(first.map((names) => names.length)).toEqual([1, 1]);
    for (let round = 0; round < 50; round++) {
      const version = versions[round % 2] as string;
      const before = indexFiles();
      say(version, `marker${round} belongs to round ${round}`, `turn-${round}`);
      const answer = ask(version, `marker${round}`);
      expect(answer.hits[0]?.text).toBe(`marker${round} belongs to round ${round}`);
      expect(answer.arms.lexical).toBe('answered');
      const after = indexFiles();
      const changed = [...after].filter(
        ([schema, files]) => JSON.stringify(before.get(schema)) !== JSON.stringify(files),
      );
      expect(changed, 'only one index was written').toHaveLength(1);
      if (round === 49) {
        const answerOfOther = ask(versions[(round + 1) % 2] as string, `marker${round}`);
        expect(answerOfOther.hits[0]?.text).toContain(`marker${round}`);
      }
    }
    expect(databases(), 'the same generations as at the start').toEqual(first);
  });

  it('[versions-side-by-side] what one forgets is also removed from the index of the other', () => {
    sandbox = createSandbox(root);
    run(root, 'main.js', ['install', 'claude-code']);
    say(root, 'the zanzibarword is a secret', 'turn-1');
    for (const version of [root, other]) expect(ask(version, 'zanzibarword').hits).toHaveLength(1);
    run(root, 'main.js', ['forget', '--containing', 'zanzibarword', '--yes']);
    const left = readdirSync(sandbox.projectFolder(), { recursive: true, withFileTypes: true })
      .filter(
        (entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes('zanzibar'),
      )
      .map(({ name }) => name);
    expect(left).toEqual([]);
    expect(ask(other, 'zanzibarword').hits).toEqual([]);
  });
});
