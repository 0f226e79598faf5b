import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../../harness/random.ts';

const folders = ['', 'src', 'src/deep', 'src/deep/er', 'lib', 'out', 'a', 'a/b', 'a/b/c'];
const names = ['one.ts', 'two.ts', 'three.py', 'four.log', 'five.o', 'six', 'üb er.ts'];
const rules = ['*.log', '*.o', 'out/', '/lib', 'deep/', '!one.ts', 'src/*', '!src/deep', 'six', '**/c'];

export const needle = 'needle';

/** Lines with or without the searched word, different from the previous ones. */
const content = (random: Random): string =>
  Array.from({ length: random.whole(0, 4) }, () =>
    random.chance(0.6) ? `${needle} ${random.whole(0, 999)}` : `hay ${random.whole(0, 9)}`,
  )
    .join('\n')
    .concat(random.chance(0.5) ? '\n' : '');

const folderAt = (root: string, random: Random): string => join(root, random.pick(folders));
const fileAt = (root: string, random: Random): string => join(folderAt(root, random), random.pick(names));

function existing(root: string, random: Random): string | undefined {
  const all = readdirSync(root)
    .filter((name) => name !== '.git')
    .flatMap((name) => everythingAt(join(root, name)));
  return all.length === 0 ? undefined : random.pick(all);
}

/** Node's recursive listing follows links, and folders that were moved out leave links behind. */
const everythingAt = (path: string): string[] => [
  path,
  ...(lstatSync(path).isDirectory()
    ? readdirSync(path).flatMap((name) => everythingAt(join(path, name)))
    : []),
];

const git = (root: string, ...args: string[]): void => {
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'commit.gpgsign=false', ...args], {
    cwd: root,
    stdio: 'ignore',
  });
};

type Change = (root: string, random: Random, outside: string) => void;

/** Changes that editors, builds and git make to a working tree. Each may fail if the tree does not allow it. */
export const changes: Record<string, Change> = {
  write: (root, random) => {
    const file = fileAt(root, random);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, content(random));
  },
  append: (root, random) => {
    const file = existing(root, random);
    if (file !== undefined) appendFileSync(file, `\n${needle}`);
  },
  sameSizeSameTime: (root, random) => {
    const file = join(root, 'tick.txt');
    writeFileSync(file, random.chance(0.5) ? `${needle}\n` : 'noodle\n');
    utimesSync(file, 1_000, 1_000);
  },
  remove: (root, random) => {
    const file = existing(root, random);
    if (file !== undefined) rmSync(file, { recursive: true, force: true });
  },
  removeAndCreate: (root, random) => {
    const file = fileAt(root, random);
    rmSync(file, { force: true });
    writeFileSync(file, content(random));
  },
  replace: (root, random) => {
    const file = fileAt(root, random);
    writeFileSync(`${file}.tmp`, content(random));
    renameSync(`${file}.tmp`, file);
  },
  rename: (root, random) => {
    const from = existing(root, random);
    if (from !== undefined) renameSync(from, fileAt(root, random));
  },
  renameFolder: (root, random) => renameSync(folderAt(root, random), folderAt(root, random)),
  moveOut: (root, random, outside) => {
    const from = folderAt(root, random);
    if (from !== root) renameSync(from, join(outside, `moved${random.whole(0, 1e9)}`));
  },
  moveIn: (root, random, outside) => {
    const from = join(outside, `new${random.whole(0, 1e9)}`);
    mkdirSync(join(from, 'x', 'y'), { recursive: true });
    writeFileSync(join(from, 'x', 'y', random.pick(names)), content(random));
    renameSync(from, join(root, random.pick(['in', 'src/in', 'a/in'])));
  },
  makeFolders: (root, random) => {
    const folder = join(folderAt(root, random), 'n1', 'n2', 'n3');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, random.pick(names)), content(random));
  },
  emptyFolderThenFile: (root, random) => {
    const folder = join(root, `e${random.whole(0, 3)}`);
    if (existsSync(folder)) writeFileSync(join(folder, random.pick(names)), content(random));
    else mkdirSync(folder);
  },
  linkFile: (root, random, outside) => {
    writeFileSync(join(outside, 'secret.ts'), `${needle}\n`);
    const file = fileAt(root, random);
    rmSync(file, { force: true });
    symlinkSync(join(outside, 'secret.ts'), file);
  },
  linkFolder: (root, random, outside) => {
    const folder = folderAt(root, random);
    if (folder === root) return;
    rmSync(folder, { recursive: true, force: true });
    symlinkSync(outside, folder);
  },
  fileForFolder: (root, random) => {
    const folder = folderAt(root, random);
    if (folder === root) return;
    rmSync(folder, { recursive: true, force: true });
    writeFileSync(folder, content(random));
  },
  unlinkFolders: (root) => {
    for (const name of folders) {
      if (name !== '' && lstatSync(join(root, name), { throwIfNoEntry: false })?.isDirectory() === false)
        rmSync(join(root, name), { force: true });
    }
  },
  ignore: (root, random) => {
    const folder = random.chance(0.6) ? root : folderAt(root, random);
    writeFileSync(
      join(folder, '.gitignore'),
      random.shuffled(rules).slice(0, random.whole(0, 3)).join('\n').concat('\n'),
    );
  },
  exclude: (root, random) => writeFileSync(join(root, '.git', 'info', 'exclude'), `${random.pick(rules)}\n`),
  commit: (root) => {
    git(root, 'add', '-A');
    git(root, 'commit', '-qm', 'x', '--allow-empty');
  },
  addIgnored: (root, random) => {
    const file = existing(root, random);
    if (file !== undefined) git(root, 'add', '-f', file);
  },
  branch: (root, random) => git(root, 'checkout', '-qfB', `b${random.whole(0, 2)}`),
  switchBack: (root, random) => git(root, 'checkout', '-qf', `b${random.whole(0, 2)}`),
  stash: (root) => git(root, 'stash', '-uq'),
  binary: (root, random) => writeFileSync(fileAt(root, random), `${needle}\0\n`),
};
