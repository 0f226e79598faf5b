import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readHistory } from './history.ts';
import { changedFiles } from './uncommitted-changes.ts';
import { createWorktreeFiles } from './worktree-files.ts';

const top = mkdtempSync(join(tmpdir(), 'backstory-blocking-'));
afterAll(() => rmSync(top, { recursive: true, force: true, maxRetries: 10 }));

function create(name: string, isRepository: boolean): string {
  const root = join(top, name);
  mkdirSync(join(root, 'src'), { recursive: true });
  writeFileSync(join(root, 'src', 'a.ts'), 'export const a = 1;\n');
  if (!isRepository) return root;
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root });
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-qm', 'begin');
  return root;
}

describe.skipIf(process.platform === 'win32')('a pipe in place of a file that git opens', () => {
  for (const name of ['.gitignore', '.gitattributes', '.mailmap', 'src/.gitignore'])
    for (const isRepository of [true, false])
      it(`does not stop questions to git: ${name}, ${isRepository ? 'repository' : 'folder'}`, async () => {
        const root = create(`${name.replace('/', '-')}-${isRepository}`, isRepository);
        execFileSync('mkfifo', [join(root, name)]);
        expect((await createWorktreeFiles(root).list()).paths).toContain('src/a.ts');
        await changedFiles(root);
        for await (const commit of readHistory(root, { known: [] }))
          expect(commit.hash).toMatch(/^[0-9a-f]{40}$/);
      });
});

it('a .gitignore of gigabytes is not given to git', async () => {
  const root = create('sparse', false);
  writeFileSync(join(root, '.gitignore'), '');
  truncateSync(join(root, '.gitignore'), 4 * 1024 ** 3);
  expect((await createWorktreeFiles(root).list()).paths).toContain('src/a.ts');
});
