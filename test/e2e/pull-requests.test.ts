import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { createSandbox, git, type Sandbox } from '../support/sandbox.ts';

const guide = readFileSync('docs/guides/pull-requests.md', 'utf8');
const [github, gitlab] = [...guide.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => parse(text));

let sandbox: Sandbox;
let range: [base: string, head: string];
beforeAll(() => {
  sandbox = createSandbox(inject('installedPackage'));
  const { repo, home } = sandbox;
  const commit = (text: string, message: string): string => {
    writeFileSync(join(repo, 'a.js'), text);
    git(repo, 'add', '.');
    git(repo, 'commit', '-qm', message);
    return git(repo, 'rev-parse', 'HEAD').trim();
  };
  range = [
    commit('one();\n', 'one'),
    commit('one();\nconnectToTheStore();\n', 'two\n\nAssisted-by: Claude:claude-opus-4'),
  ];
  mkdirSync(join(home, 'bin'));
  const program = (name: string, script: string): void => {
    writeFileSync(join(home, 'bin', name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(home, 'bin', name), 0o755);
  };
  const record = (name: string) => `for word in "$@"; do echo "$word" >> "$HOME/${name}.log"; done`;
  const main = join(inject('installedPackage'), 'dist', 'main.js');
  program('backstory', `exec "${process.execPath}" "${main}" "$@"`);
  program('npm', `pwd > "$HOME/npm.log"; ${record('npm')}`);
  program('gh', record('gh'));
  program('curl', record('curl'));
});
afterAll(() => sandbox.remove());

/** Runs the lines of a recipe as a runner does, and returns the arguments of the programs that it replaces. */
function runLines(lines: string, variables: Record<string, string>): (name: string) => string[] {
  const { repo, home, env } = sandbox;
  const path = `${join(home, 'bin')}:${env.PATH}`;
  const ended = spawnSync('bash', ['-e', '-c', lines], {
    cwd: repo,
    env: { ...env, ...variables, PATH: path },
    encoding: 'utf8',
  });
  expect(ended.status, ended.stderr).toBe(0);
  return (name) =>
    readFileSync(join(home, `${name}.log`), 'utf8')
      .trim()
      .split('\n');
}

const isBody = (file: string): void => {
  expect(existsSync(file)).toBe(true);
  expect(readFileSync(file, 'utf8')).toContain('Claude (claude-opus-4) by the commit message 100 %');
};

describe('the recipes for CI', () => {
  it('[pr-recipes] post the Markdown of committed data to GitHub, with no right but to comment', () => {
    const folder = mkdtempSync(join(sandbox.home, 'runner-'));
    const { on, permissions, jobs } = github;
    expect([on, permissions]).toEqual(['pull_request', { contents: 'read', 'pull-requests': 'write' }]);
    const [checkout, { run }] = jobs.backstory.steps;
    expect(checkout.uses).toMatch(/@[0-9a-f]{40}$/);
    expect(run).not.toContain('${{');
    const args = runLines(run, { RANGE: range.join('..'), PR: '12', RUNNER_TEMP: folder });
    expect(args('npm')).toEqual([folder, 'install', '--global', '--ignore-scripts', 'backstory@0.1.0']);
    const body = join(folder, 'body.md');
    expect(args('gh')).toEqual([
      'pr',
      'comment',
      '12',
      '--edit-last',
      '--create-if-none',
      '--body-file',
      body,
    ]);
    isBody(body);
  });

  it('[pr-recipes] post it to GitLab', () => {
    const folder = mkdtempSync(join(sandbox.home, 'runner-'));
    const lines = gitlab.backstory.script.join('\n').replaceAll('/tmp', folder);
    const args = runLines(lines, {
      CI_MERGE_REQUEST_DIFF_BASE_SHA: range[0],
      CI_COMMIT_SHA: range[1],
      CI_API_V4_URL: 'https://gitlab.example/api/v4',
      CI_PROJECT_ID: '3',
      CI_MERGE_REQUEST_IID: '7',
      BACKSTORY_TOKEN: 'x',
    });
    expect(args('curl').slice(-3)).toEqual([
      '--data-urlencode',
      `body@${folder}/body.md`,
      'https://gitlab.example/api/v4/projects/3/merge_requests/7/notes',
    ]);
    isBody(join(folder, 'body.md'));
  });
});
