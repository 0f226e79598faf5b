import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import type { Knowledge } from '../../src/domain/knowledge.ts';
import { createSandbox, type Sandbox } from '../support/sandbox.ts';

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
const git = (...args: string[]): void => {
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
    cwd: sandbox.repo,
  });
};
function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(sandbox.repo, path)), { recursive: true });
    writeFileSync(join(sandbox.repo, path), text);
  }
  git('add', '.');
  git('commit', '-qm', 'files');
}
const knowledgeFile = (): string => readFileSync(join(sandbox.repo, '.backstory/knowledge.json'), 'utf8');

describe('knowledge, with the installed command', () => {
  it('is built from a repository, recalled with its label, and in the prelude once it is trusted', () => {
    write({
      'package.json': JSON.stringify({ main: 'src/index.ts', scripts: { test: 'vitest' } }),
      'src/index.ts': 'export class Harbour {}\nexport function open(): void {}\nfunction _inner() {}\n',
    });
    done('remember', 'the first note');
    const { knowledge } = sandbox.json<{ knowledge: Knowledge }>('knowledge', 'build');
    expect(knowledge.keyFiles).toEqual([
      { path: 'src/index.ts', why: 'entry point', symbols: ['Harbour', 'open'] },
    ]);
    const bytes = knowledgeFile();
    expect(done('knowledge', 'build')).toContain('is up to date');
    expect(knowledgeFile()).toBe(bytes);
    expect(done('knowledge')).toContain('npm test');
    expect(done('recall', 'key files entry point', '--kind', 'knowledge')).toContain('not trusted');
    expect(done('prelude')).not.toContain('npm test');
    expect(done('status')).toContain('backstory share --trust');
    done('share', '--trust', '--yes');
    expect(done('prelude')).toContain(
      'from the repository: Commands: install `npm install`; test `npm test`',
    );
    expect(done('share', '--trust')).toContain('All texts of this repository are trusted');
  });
});
