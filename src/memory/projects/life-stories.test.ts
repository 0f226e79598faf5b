import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { git } from '../../../test/support/sandbox.ts';
import { canCreateLinks } from '../../../test/support/symbolic-links.ts';
import { homePaths } from '../../base/paths.ts';
import { type GoneEvidence, repositoriesOf } from './gone-folder.ts';
import { resolvePlace } from './projects.ts';

/**
 * What happens to a repository in its life, and which folders are one project afterwards. Each line is a step:
 *
 *   init X · commit X · clone X Y [options] [@remote] · tree X Y [branch] · remote X @remote [name] · git X arguments
 *   mkdir X · mv X Y · cp X Y · rm X · ln X Y · write X text · rewrite X (as git filter-repo does)
 *   see X [as NAME]: an agent works in X · past X [Y]: a session of X is imported; its transcript names the folder Y
 *
 *   began X Y: a session of X is imported; its transcript names the newest commit of Y
 *
 * `@ann/app` is the remote https://example.org/ann/app.git.
 */
interface Story {
  name: string;
  steps: string;
  /** Folders of the same project stand together; a bar separates projects. */
  projects: string;
}

const stories: Story[] = [
  {
    name: 'a remote is added after the first session, and then a worktree',
    steps: 'init app, see app, commit app, remote app @ann/app, tree app tree, see tree, see app',
    projects: 'app tree',
  },
  {
    name: 'a remote is added after the first session, and somebody clones it before the next one',
    steps: 'init app, commit app, see app, remote app @ann/app, clone app copy @ann/app, see copy, see app',
    projects: 'app copy',
  },
  {
    name: 'the first session is before the first commit, then come a remote and a clone',
    steps: 'init app, see app, commit app, remote app @ann/app, clone app copy @ann/app, see copy, see app',
    projects: 'app copy',
  },
  {
    name: 'a worktree is made before the remote, and one after it',
    steps:
      'init app, commit app, see app, tree app early, see early, remote app @ann/app, tree app late, see late, see early, see app',
    projects: 'app early late',
  },
  {
    name: 'the first session is in a worktree',
    steps: 'init app, commit app, tree app tree, see tree, see app, remote app @ann/app, see tree, see app',
    projects: 'app tree',
  },
  {
    name: 'a worktree is made in a worktree',
    steps:
      'init app, commit app, remote app @ann/app, see app, tree app one, tree one two, tree two two/three, see two/three, see two, see one',
    projects: 'app one two two/three',
  },
  {
    name: 'a worktree has a branch without a commit',
    steps:
      'init app, commit app, see app, tree app tree, git tree checkout -q --orphan fresh, see tree, commit tree, see tree',
    projects: 'app tree',
  },
  {
    name: 'the main checkout is on an orphan branch when the remote is added',
    steps:
      'init app, commit app, see app, git app checkout -q --orphan pages, commit app, remote app @ann/app, see app, clone app copy @ann/app, see copy',
    projects: 'app copy',
  },
  {
    name: 'the repository is renamed on its server, and its checkout follows',
    steps:
      'init app, commit app, remote app @ann/app, see app, git app remote set-url origin @ann/new, see app, clone app copy @ann/new, see copy, clone app old @ann/app, see old',
    projects: 'app copy old',
  },
  {
    name: 'the repository is renamed on its server, and a clone is made before the next session',
    steps:
      'init app, commit app, remote app @ann/app, see app, git app remote set-url origin @ann/new, clone app copy @ann/new, see copy, see app',
    projects: 'app copy',
  },
  {
    name: 'a checkout takes the remote under which another clone is known already',
    steps:
      'init app, commit app, remote app @ann/app, see app, clone app other @ann/new, see other, git app remote set-url origin @ann/new, see app, clone app third @ann/new, see third, see other',
    projects: 'app | other third',
  },
  {
    name: 'the remote changes from HTTPS to SSH with a user, a port and no ending',
    steps:
      'init app, commit app, remote app @ann/app, see app, git app remote set-url origin git@example.org:ann/app, see app, clone app copy, git copy remote set-url origin ssh://git@Example.org:22/ann/app/, see copy',
    projects: 'app copy',
  },
  {
    name: 'the host moves',
    steps:
      'init app, commit app, remote app @ann/app, see app, git app remote set-url origin https://git.example.com/ann/app.git, see app, tree app tree, see tree, clone app copy, git copy remote set-url origin https://git.example.com/ann/app, see copy',
    projects: 'app tree copy',
  },
  {
    name: 'the remote is removed',
    steps:
      'init app, commit app, remote app @ann/app, see app, git app remote remove origin, see app, tree app tree, see tree, commit app, see app',
    projects: 'app tree',
  },
  {
    name: 'the remote is removed, and another is added',
    steps:
      'init app, commit app, remote app @ann/app, see app, git app remote remove origin, see app, remote app @bob/app, see app',
    projects: 'app',
  },
  {
    name: 'a mirror is added beside origin',
    steps:
      'init app, commit app, remote app @ann/app, see app, remote app @mirror/app mirror, see app, clone app copy @ann/app, see copy',
    projects: 'app copy',
  },
  {
    name: 'a repository has two remotes, of which none is origin',
    steps:
      'init app, commit app, remote app @ann/app home, remote app @mirror/app mirror, see app, clone app copy @ann/app, see copy, clone app other @mirror/app, see other',
    projects: 'app copy other',
  },
  {
    name: 'origin is renamed',
    steps:
      'init app, commit app, remote app @ann/app, see app, git app remote rename origin upstream, see app, clone app copy @ann/app, see copy',
    projects: 'app copy',
  },
  {
    name: 'a clone is made, and one of the clone',
    steps:
      'init app, commit app, remote app @ann/app, see app, clone app copy, see copy, clone copy again, see again',
    projects: 'app copy again',
  },
  {
    name: 'a folder without a remote is cloned, and only the clone gets one',
    steps:
      'init app, commit app, see app, clone app copy, see copy, git copy remote set-url origin @ann/app, see copy, see app',
    projects: 'app copy',
  },
  {
    name: 'a clone is made by the URL of the folder',
    steps: 'init app, commit app, see app, clone file:app copy, see copy',
    projects: 'app copy',
  },
  {
    name: 'a shallow clone comes first, then the whole repository',
    steps:
      'init app, commit app, commit app, clone file:app small --depth 1 @ann/app, see small, clone file:app whole @ann/app, see whole',
    projects: 'small whole',
  },
  {
    name: 'a shallow clone has only a commit that a known checkout contains',
    steps:
      'init app, commit app, remote app @ann/app, see app, commit app, clone file:app small --depth 1 @ann/app, see small',
    projects: 'app small',
  },
  {
    name: 'a bare repository has worktrees',
    steps:
      'init seed, commit seed, clone seed app.git --bare @ann/app, tree app.git main-tree one, see main-tree, tree app.git side-tree two, see side-tree, clone seed copy @ann/app, see copy',
    projects: 'main-tree side-tree copy',
  },
  {
    name: 'a bare repository in a hidden folder has worktrees beside it, and the agent also works above them',
    steps:
      'init seed, commit seed, mkdir app, clone seed app/.bare --bare @ann/app, write app/.git gitdir:./.bare, tree app/.bare app/one one, see app/one, see app, tree app/.bare app/two two, see app/two',
    projects: 'app app/one app/two',
  },
  {
    name: 'the git directory of a clone is elsewhere',
    steps:
      'init seed, commit seed, clone seed app --separate-git-dir=app-git @ann/app, see app, mkdir app/src, see app/src, tree app tree, see tree',
    projects: 'app app/src tree',
  },
  {
    name: 'the folder of a repository with a remote is moved',
    steps: 'init app, commit app, remote app @ann/app, see app, mv app moved, see moved',
    projects: 'app moved',
  },
  {
    name: 'the folder of a repository without a remote is renamed, and a remote is added',
    steps: 'init app, commit app, see app, mv app moved, see moved, remote moved @ann/app, see moved',
    projects: 'app moved',
  },
  {
    name: 'the folder is renamed and the remote added before the next session',
    steps: 'init app, commit app, see app, mv app moved, remote moved @ann/app, see moved',
    projects: 'app moved',
  },
  {
    name: 'the folder is copied, with and without a remote',
    steps:
      'init app, commit app, see app, cp app one, see one, remote app @ann/app, see app, cp app two, see two',
    projects: 'app one two',
  },
  {
    name: 'an agent works through a link to the folder',
    steps: 'init app, commit app, ln app link, see link, see app, remote app @ann/app, see link, see app',
    projects: 'app link',
  },
  {
    name: 'a submodule is a project of its own, the same as its own clone',
    steps:
      'init lib, commit lib, remote lib @ann/lib, init app, commit app, git app submodule --quiet add ../lib lib, git app/lib remote set-url origin @ann/lib, see app, see app/lib, see lib',
    projects: 'app | app/lib lib',
  },
  {
    name: 'a fork is a project of its own, also after it names the remote that it comes from',
    steps:
      'init app, commit app, remote app @ann/app, see app, clone app fork @bob/app, see fork, remote fork @ann/app upstream, see fork, commit fork, see fork, clone fork fork2 @bob/app, see fork2',
    projects: 'app | fork fork2',
  },
  {
    name: 'copies of a template share its first commit',
    steps:
      'init template, commit template, remote template @ann/template, see template, clone template one @ann/one, see one, clone template two @ann/two, see two, commit one, tree one tree, see tree',
    projects: 'template | one tree | two',
  },
  {
    name: 'a folder without a remote is copied, and the copy gets one before its first session',
    steps: 'init app, commit app, see app, cp app copy, remote copy @ann/copy, see copy, see app',
    projects: 'app | copy',
  },
  {
    name: 'folders of a monorepo',
    steps:
      'init app, commit app, mkdir app/packages/api, mkdir app/packages/web, see app/packages/api, see app/packages/web, remote app @ann/app, see app/packages/api, see app',
    projects: 'app app/packages/api app/packages/web',
  },
  {
    name: 'a repository is made in a folder of another',
    steps:
      'init app, commit app, mkdir app/inner, see app, see app/inner as inside, init app/inner, see app/inner, commit app/inner, see app/inner, see app',
    projects: 'app inside | app/inner',
  },
  {
    name: 'a folder becomes a repository, gets a remote and is cloned',
    steps:
      'mkdir app, see app, init app, see app, commit app, remote app @ann/app, see app, clone app copy @ann/app, see copy',
    projects: 'app copy',
  },
  {
    name: 'an agent works in a folder of a folder that becomes a repository',
    steps:
      'mkdir app/src, see app/src, init app, see app/src, commit app, see app/src, see app, remote app @ann/app, see app',
    projects: 'app app/src',
  },
  {
    name: 'an empty folder becomes a clone of a known repository',
    steps:
      'init app, commit app, remote app @ann/app, see app, mkdir copy, see copy as empty, clone app copy @ann/app, see copy',
    projects: 'app copy | empty',
  },
  {
    name: 'a link leads to another repository than before',
    steps:
      'init app, commit app, init other, commit other, ln app link, see link as app, rm link, ln other link, see link, see other',
    projects: 'app | link other',
  },
  {
    name: 'a folder becomes a repository with a remote and is cloned before the next session',
    steps:
      'mkdir app, see app, init app, commit app, remote app @ann/app, clone app copy @ann/app, see copy, see app',
    projects: 'app copy',
  },
  {
    name: 'the history is rewritten, with the same remote',
    steps:
      'init app, commit app, remote app @ann/app, see app, rewrite app, see app, tree app tree, see tree, clone app copy @ann/app, see copy',
    projects: 'app tree copy',
  },
  {
    name: 'the history was rewritten on the server, and the folder is cloned anew',
    steps:
      'init app, commit app, remote app @ann/app, see app, rm app, init new, commit new, clone new app @ann/app, see app',
    projects: 'app',
  },
  {
    name: 'an unrelated repository takes the place of a deleted one',
    steps:
      'init app, commit app, remote app @ann/app, see app, rm app, init app, commit app, remote app @bob/other, see app as new, see app as new',
    projects: 'app | new',
  },
  {
    name: 'two unrelated repositories have the same remote',
    steps:
      'init app, commit app, remote app @ann/app, see app, init other, commit other, remote other @ann/app, see other, commit other, see other, see app',
    projects: 'app | other',
  },
  {
    name: 'an unrelated repository names a remote before the checkout that has it does',
    steps:
      'init app, commit app, see app, init other, commit other, remote other @ann/app, see other, remote app @ann/app, see app, see other',
    projects: 'app | other',
  },
  {
    name: 'an unrelated repository names a checkout as its remote',
    steps:
      'init app, commit app, see app, init other, commit other, git other remote add origin /app, see other',
    projects: 'app | other',
  },
  {
    name: 'an archive points at a git directory that is elsewhere',
    steps:
      'init seed, commit seed, clone seed app --separate-git-dir=app-git @ann/app, see app, mkdir archive, write archive/file.txt other, write archive/.git gitdir:../app-git, see archive',
    projects: 'app | archive',
  },
];

const deleted: Story[] = [
  {
    name: 'a worktree of Claude Code was deleted before the first session here',
    steps:
      'init app, commit app, remote app @ann/app, past app/.claude/worktrees/calm-fox, past app/.claude/worktrees/calm-fox/src, see app',
    projects: 'app app/.claude/worktrees/calm-fox app/.claude/worktrees/calm-fox/src',
  },
  {
    name: 'a worktree of Claude Code was deleted in a repository that is known already',
    steps: 'init app, see app, commit app, see app, past app/.claude/worktrees/calm-fox, see app',
    projects: 'app app/.claude/worktrees/calm-fox',
  },
  {
    name: 'a deleted worktree elsewhere is one in which an agent was seen',
    steps:
      'init app, commit app, tree app tree, see tree, git app worktree remove tree, past tree, past tree/src, see app',
    projects: 'app tree tree/src',
  },
  {
    name: 'the folder of a worktree was deleted, and git still lists it',
    steps: 'init app, commit app, see app, tree app tree, rm tree, past tree, past tree/src',
    projects: 'app tree tree/src',
  },
  {
    name: 'a deleted worktree elsewhere, whose transcript names the folder from which it was made',
    steps:
      'init app, commit app, tree app tree, git app worktree remove tree, past tree app, past tree/src, see app',
    projects: 'app tree tree/src',
  },
  {
    name: 'a deleted worktree elsewhere, whose transcript names a commit of a repository where nobody was yet',
    steps:
      'init other, commit other, see other, init app, commit app, began gone/tree app, see app, past gone/tree/src',
    projects: 'app gone/tree gone/tree/src | other',
  },
  {
    name: 'a deleted folder of the repository',
    steps: 'init app, commit app, remote app @ann/app, past app/website/build, see app',
    projects: 'app app/website/build',
  },
  {
    name: 'a deleted folder below a deleted one that was no repository',
    steps: 'mkdir work, see work, rm work, past work/other, see work',
    projects: 'work | work/other',
  },
  {
    name: 'a deleted folder outside that nothing connects with the repository',
    steps: 'init app, commit app, see app, past scratch, see app',
    projects: 'app | scratch',
  },
  {
    name: 'a deleted worktree of one repository beside another repository',
    steps:
      'init app, commit app, see app, init other, commit other, see other, tree app tree, rm tree, past tree, tree other tree2, rm tree2, past tree2',
    projects: 'app tree | other tree2',
  },
];

const top = realpathSync(mkdtempSync(join(tmpdir(), 'backstory-stories-')));
afterAll(() => rmSync(top, { recursive: true, force: true }));

let folder: string;
let count = 0;
beforeEach(() => {
  folder = join(top, String(count++));
  mkdirSync(folder);
});

const clock = { now: () => 1_790_000_000_000 };
const urlOf = (word: string): string => `https://example.org/${word.slice(1)}.git`;

/** Plays a story. Returns the projects of each folder, at every time it was seen. */
function play(steps: string): Map<string, Set<string>> {
  const paths = homePaths(join(folder, 'home'));
  const at = (name: string): string => join(folder, name);
  const seen = new Map<string, Set<string>>();
  const look = (name: string, path: string, gone?: GoneEvidence): void => {
    const { place, remember } = resolvePlace(paths, path, clock, { gone });
    remember();
    seen.set(name, (seen.get(name) ?? new Set()).add(place.project));
  };
  let commits = 0;
  const verbs: Record<string, (...words: string[]) => unknown> = {
    init: (name) => git(folder, 'init', '-q', '-b', 'main', at(name)),
    commit(name) {
      writeFileSync(join(at(name), 'file.txt'), `${name} ${count} ${commits++}`);
      git(at(name), 'add', 'file.txt');
      git(at(name), 'commit', '-qm', `commit ${commits}`);
    },
    clone(from, to, ...words) {
      const remote = words.find((word) => word.startsWith('@'));
      const options = words.filter((word) => word !== remote).map((word) => word.replace('=', `=${folder}/`));
      const source = from.startsWith('file:') ? `file://${at(from.slice('file:'.length))}` : at(from);
      git(folder, 'clone', '-q', ...options, source, at(to));
      if (remote !== undefined) git(at(to), 'remote', 'set-url', 'origin', urlOf(remote));
    },
    tree: (from, to, branch = to.replaceAll('/', '-')) =>
      git(at(from), 'worktree', 'add', '-q', '-b', branch, at(to)),
    remote: (name, url, remote = 'origin') => git(at(name), 'remote', 'add', remote, urlOf(url)),
    git: (name, ...words) =>
      git(
        at(name),
        '-c',
        'protocol.file.allow=always',
        ...words.map((word) =>
          word.startsWith('@') ? urlOf(word) : word.replace(/^(?:\.\.)?\//, `${folder}/`),
        ),
      ),
    mkdir: (name) => mkdirSync(at(name), { recursive: true }),
    mv: (from, to) => renameSync(at(from), at(to)),
    cp: (from, to) => cpSync(at(from), at(to), { recursive: true }),
    rm: (name) => rmSync(at(name), { force: true, recursive: true, maxRetries: 10 }),
    ln: (to, name) => symlinkSync(at(to), at(name)),
    write: (name, text) => writeFileSync(at(name), text.replace(':', ': ')),
    rewrite(name) {
      git(at(name), 'checkout', '-q', '--orphan', 'rewritten');
      verbs.commit?.(name);
      git(at(name), 'branch', '-q', '-M', 'rewritten', 'main');
      git(at(name), 'reflog', 'expire', '--expire=now', '--all');
      git(at(name), 'gc', '-q', '--prune=now');
    },
    see: (name, _as, label = name) => look(label, at(name)),
    past: (name, origin) =>
      look(name, at(name), { repositories: [], ...(origin === undefined ? {} : { folder: at(origin) }) }),
    began: (name, origin) => {
      const commit = git(at(origin), 'rev-parse', 'HEAD').trim();
      look(name, at(name), { repositories: repositoriesOf([at(origin)]), commit });
    },
  };
  for (const step of steps.split(', ')) {
    const [verb = '', ...words] = step.split(' ');
    verbs[verb]?.(...words);
  }
  return seen;
}

/** Folders by project, as a story writes them. A folder that was in several projects stands with a question mark. */
function projectsOf(seen: Map<string, Set<string>>): string {
  const groups = Map.groupBy(seen, ([, ids]) => [...ids].join());
  return [...groups.values()]
    .map((group) => group.map(([name, ids]) => (ids.size === 1 ? name : `${name}?`)).sort())
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
    .map((names) => names.join(' '))
    .join(' | ');
}

const sorted = (projects: string): string =>
  projects
    .split(' | ')
    .map((group) => group.split(' ').sort().join(' '))
    .sort()
    .join(' | ');

describe('[project-identity] one memory where the repository is one', () => {
  it.each([...stories, ...deleted].filter(({ steps }) => canCreateLinks || !steps.includes('ln ')))(
    '$name',
    ({ steps, projects }) => {
      expect(projectsOf(play(steps))).toBe(sorted(projects));
    },
  );
});
