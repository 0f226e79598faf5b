import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { createSandbox, git, type Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = createSandbox(inject('installedPackage'));
  done('install', 'claude-code');
});
afterEach(() => sandbox.remove());

function done(...args: string[]): string {
  const { status, stdout, stderr } = sandbox.cli(...args);
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}
const inRepo = (path: string): string => join(sandbox.repo, path);
function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(inRepo(path)), { recursive: true });
    writeFileSync(inRepo(path), text);
  }
  git(sandbox.repo, 'add', '.');
  git(sandbox.repo, 'commit', '-qm', 'files');
}
const path = '.backstory/knowledge.md';
const file = (name = path): string => readFileSync(inRepo(name), 'utf8');
const remember = (text: string): string => sandbox.json<{ id: string }>('remember', text).id;

describe('knowledge, with the installed command', () => {
  it('follows what is settled, keeps what people edit, and drops what is forgotten', () => {
    write({ 'package.json': JSON.stringify({ scripts: { test: 'vitest' } }) });
    const pnpm = remember('Use pnpm, not npm.');
    const home = remember(`Fixtures are in ${sandbox.home}/fixtures.`);
    remember('Deploys go out on Tuesdays.');
    expect(done('knowledge')).toContain('+- Use pnpm, not npm.');
    expect(existsSync(inRepo(path))).toBe(false);
    done('knowledge', '--yes');
    expect(file()).toMatch(/- Use pnpm, not npm\. \(\d{4}-\d\d-\d\d\) \[\w{8}\]\n/);
    expect(file()).toContain('Fixtures are in ~/fixtures.');
    expect(done('knowledge', '--yes')).toContain('is up to date');

    writeFileSync(inRepo(path), file().replace('Deploys go out', 'Deploys always go out'));
    done('edit', '--wrong', pnpm.slice(-8), '--now', 'Use bun.');
    expect(done('forget', home.slice(-8), '--yes')).toContain(`${path} in the repository still contains it`);
    expect(done('knowledge', '--yes')).toContain('Edited by hand and kept: 1 line.');
    expect(file()).toMatch(/- Use bun\. .*\n {2}- before .*: Use pnpm, not npm\./);
    expect(file()).toContain('Deploys always go out on Tuesdays.');
    expect(file()).not.toContain('ixtures');
    expect(done('recall', 'pnpm bun Tuesdays')).not.toContain('from the repository');
  });

  it('is not written for an agent or a script, with --yes neither', () => {
    write({ 'AGENTS.md': '# Agents\n' });
    remember('Use pnpm, not npm.');
    const into = ['knowledge', '--into', 'AGENTS.md'];
    for (const env of [{}, { CLAUDECODE: '1' }]) {
      expect(sandbox.unattended(env, ...into).stdout).toContain('Nothing was written');
      expect(sandbox.unattended(env, ...into, '--yes').status).not.toBe(0);
    }
    expect(file('AGENTS.md')).toBe('# Agents\n');
    done(...into, '--yes');
    expect(file('AGENTS.md')).toMatch(
      /^# Agents\n\n<!-- backstory knowledge: begin[\s\S]*- Use pnpm, not npm\./,
    );
  });

  it('of a clone is recalled with its label, and told to sessions once it is trusted', () => {
    write({ [path]: '# Harbour\n\n## Rules\n\n- Use pnpm, not npm. (2026-03-01) [abcd1234]\n' });
    remember('the first note');
    done('knowledge', '--yes');
    expect(file()).toContain('[abcd1234]');
    done('drain', '--project', basename(sandbox.projectFolder()));
    expect(done('recall', 'pnpm', '--kind', 'rule')).toContain('not trusted');
    expect(done('prelude')).not.toContain('pnpm');
    done('share', '--trust', '--yes');
    expect(done('prelude')).toContain('from the repository: Use pnpm, not npm.');
  });
});
