import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createFilesWithoutGit } from './files-without-git.ts';
import { createWorktreeFiles } from './worktree-files.ts';

const top = mkdtempSync(join(tmpdir(), 'backstory-without-git-'));
afterAll(() => rmSync(top, { recursive: true, force: true, maxRetries: 10 }));

const root = join(top, 'app');
const files: Record<string, string> = {
  '.gitignore': '*.log\n!keep.log\n/build/\nnode_modules\n# comment\n\\#odd\ndocs/**/draft?.md\nspaces \\ \n',
  'a.ts': '',
  'a.log': '',
  'keep.log': '',
  'build/out.js': '',
  'src/build/kept.js': '',
  'src/.gitignore': '!b.log\r\ngenerated/*\r\n!generated/kept.ts\r\n',
  'src/b.log': '',
  'src/c.log': '',
  'src/generated/gone.ts': '',
  'src/generated/kept.ts': '',
  'src/node_modules/x/index.js': '',
  'docs/a/b/draft1.md': '',
  'docs/a/final.md': '',
  '#odd': '',
  'näme.ts': '',
  'secret.txt': '',
  'inner/.gitignore': '*.tmp\n',
  'inner/x.log': '',
  'inner/x.tmp': '',
};
const write = (name: string, text: string): void => {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
};
for (const [name, text] of Object.entries(files)) write(name, text);
const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd });
git(root, 'init', '-q');
git(join(root, 'inner'), 'init', '-q');
write('.git/info/exclude', 'secret.txt\n');

it('lists the same files as git, with nested repositories and their own rules', async () => {
  const listed = await createFilesWithoutGit(root).list();
  expect(listed).toEqual(await createWorktreeFiles(root).list());
  expect(listed.paths).toContain('inner/x.log');
});

it('filters changed files and folders by the same rules', async () => {
  const names = [...Object.keys(files), 'none.ts', '.git/config'];
  const folders = ['build', 'src', 'src/build', 'src/node_modules', 'docs/a', 'inner'];
  const withoutGit = createFilesWithoutGit(root);
  const { paths, nested } = await withoutGit.list();
  const filtered = await withoutGit.filterListed(names, folders, nested);
  expect(filtered?.files.sort()).toEqual(paths);
  expect(filtered?.folders).toEqual(['src', 'src/build', 'docs/a', 'inner']);
});
