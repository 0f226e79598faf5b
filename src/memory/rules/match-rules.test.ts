import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Match } from '../../domain/match.ts';
import type { FileEdit } from '../../domain/tool-call.ts';
import { checkMatch } from './check-match.ts';
import { brokenRules } from './match-rules.ts';

const root = '/work/repo';
const call = (command: string, cwd = root, edits: FileEdit[] = []) => ({ command, cwd, root, edits });
const isMatched = (match: Match, command: string, cwd?: string): boolean =>
  brokenRules([{ match }], call(command, cwd)).length > 0;
const isEditMatched = (match: Match, path: string, added: string, removed = ''): boolean =>
  brokenRules([{ match }], call('', root, [{ path, added, removed }])).length > 0;

/** Each pattern with command lines that it matches and similar ones that it does not. */
const commands: Record<string, { matched: string[]; not: string[] }> = {
  'git push --force': {
    matched: [
      'git push --force',
      'git push origin main --force',
      'git --no-pager push --force origin',
      'git -C ../other push --force',
      'git -c user.name=x push --force',
      'npm test && git push --force',
      'make; git push --force || true',
      'GIT_SSH_COMMAND="ssh -i k" git push --force',
      'sudo -u deploy git push --force',
      'timeout 60 git push --force',
      `bash -c 'git push --force'`,
      `bash -lc "cd sub && git push --force"`,
      'if git diff --quiet; then git push --force; fi',
      '(cd sub && git push --force)',
      '/usr/bin/git push --force',
      'git \\\n  push \\\n  --force',
      'echo $(git push --force)',
      'echo "pushed: $(git push --force)"',
      `"git" push '--force'`,
      `sh <<'EOF'\ngit push --force\nEOF`,
      `echo 'git push --force' | sh`,
      'nohup git push --force > log 2>&1 &',
      'git add -A\ngit push --force',
      'setsid -w git push --force',
      'flock /tmp/lock git push --force',
      'taskset 1 nice git push --force',
      'strace -f -o log git push --force',
      'parallel -j 2 git push --force ::: a b',
      'xargs -a remotes.txt git push --force',
      `busybox sh -c 'git push --force'`,
      `script -qec 'git push --force' /dev/null`,
      `su deploy -c 'git push --force'`,
      `git push $'--force'`,
    ],
    not: [
      'git push',
      'git push --force-with-lease',
      'git fetch --force',
      'git stash push --force',
      'git log --grep "git push --force"',
      `git commit -m 'never git push --force'`,
      `echo "git push --force"`,
      'echo git push --force',
      'man git push --force',
      'timeout 60 echo git push --force',
      'for word in git push --force; do echo $word; done',
      'grep -rn "git push --force" docs',
      `cat > notes.md <<'EOF'\ngit push --force\nEOF`,
      'git push # --force',
      'go test ./...',
    ],
  },
  'npm install': {
    matched: [
      'npm install',
      'npm install zod',
      'cd web && CI=1 npm install --no-audit',
      'corepack npm install',
      'corepack npm@10 install',
      'npm --prefix web install',
      'sudo env A=1 npm install',
      'find . -name web -exec npm install \\;',
      `printf 'cd web\\nnpm install\\n' | bash -s`,
      'cat <<EOF | sh\nnpm install\nEOF',
      `bash <<<'npm install'`,
      `eval 'npm install'`,
      'for d in a b; do npm install; done',
      'echo $HOME; npm install',
      'npm \\install',
      `git commit -m '' && npm install`,
      `git commit -m "say \\"hi\\" twice" && npm install`,
      `bash -c "echo \\"x\\"; npm install"`,
      `echo $(echo ')'; npm install)`,
      `echo $(echo \\(; npm install)`,
      `echo $(echo "("); npm install`,
      'echo $( (date); npm install )',
      'echo `npm install`',
      'diff <(npm install) b.txt',
      'echo "npm install" |\n sh',
      'npm test 2>&1 | tee log; npm install',
      'cat <<A <<-B\nx\nA\ny\n\tB\nnpm install',
      'echo a#b; npm install',
      'npm.cmd install',
      'time -o log npm install',
      'then npm install',
    ],
    not: [
      'pnpm install',
      'npm run install-hooks',
      'npm run ci',
      'npm help install',
      `grep 'npm install' README.md`,
      `bash run.sh <<<'npm install'`,
      `echo 'npm install' | cat`,
      `echo 'npm install' || sh`,
      `git commit -m "a\\" && npm install"`,
      'echo \\; npm install-x',
      'npm test -- install',
    ],
  },
  'rm -rf': {
    matched: ['rm -rf dist', 'rm -r -f dist', 'rm -fr dist', 'rm -rfv dist', 'ls | xargs rm -rf'],
    not: ['rm -r dist', 'rm -f dist', 'git rm -rf --cached dist', 'rm dist'],
  },
  'rm -rf build': {
    matched: ['rm -rf dist build', 'rm -rf ./build/'],
    not: ['rm -rf build2', 'rm -rf dist'],
  },
  'git push main': {
    matched: ['git push origin main', 'git push -u origin main'],
    not: ['git push origin maintenance', 'git checkout main'],
  },
  'go test -v': { matched: ['go test -v ./...'], not: ['go test ./...', 'go test -cover ./...'] },
  'kubectl -n prod delete': {
    matched: ['kubectl -n prod delete pod x', 'kubectl delete pod x -n prod'],
    not: ['kubectl -n dev delete pod prod', 'kubectl -n prod get pods'],
  },
  'docker compose down -v': {
    matched: ['docker compose down -v', 'docker compose -f dev.yml down -v'],
    not: ['docker compose down', 'docker run -v a:b down'],
  },
  jest: {
    matched: ['jest', 'npx jest src', 'npx -y jest@29', 'npm exec jest', 'yarn jest', 'pnpm exec jest -w'],
    not: ['npx vitest', 'npm i jest', 'cat jest.config.js'],
  },
  pip: { matched: ['pip list', 'python3 -m pip install x', 'uv run pip list'], not: ['uv pip install x'] },
  'python manage.py flush': {
    matched: ['python manage.py flush', 'poetry run python manage.py flush --noinput'],
    not: ['python manage.py migrate', 'python other.py flush'],
  },
  'scripts/deploy.sh': {
    matched: ['./scripts/deploy.sh prod', 'bash scripts/deploy.sh', '/work/repo/scripts/deploy.sh'],
    not: ['./other/deploy.sh', 'cat scripts/deploy.sh', 'vim scripts/deploy.sh'],
  },
};

const packages: Record<string, { matched: string[]; not: string[] }> = {
  moment: {
    matched: [
      'npm install moment',
      'npm i -D moment@^2.29',
      'pnpm add lodash moment',
      'yarn add moment',
      'bun add moment',
      'deno add npm:moment',
      'cd web && npm --prefix x i moment',
      'yarn global add moment',
    ],
    not: ['npm install', 'npm i moment-timezone', 'npm i @types/moment', 'npm rm moment', 'npm ls moment'],
  },
  Requests: {
    matched: [
      'pip install requests==2.0',
      'python -m pip install "requests[socks]>=2"',
      'uv add requests',
      'uv pip install requests',
      'poetry add requests',
    ],
    not: ['pip uninstall requests', 'uv pip uninstall requests', 'pip install -r requirements.txt'],
  },
  'github.com/pkg/errors': {
    matched: ['go get github.com/pkg/errors@v0.9.1'],
    not: ['go get github.com/x/errors'],
  },
  openssl: {
    matched: ['cargo add openssl', 'brew install openssl'],
    not: ['cargo test openssl', 'openssl rand 8'],
  },
};

const paths: Record<string, { matched: [string, string?][]; not: [string, string?][] }> = {
  'legacy/**': {
    matched: [
      ['echo x > legacy/a.ts'],
      ['cat >> ./legacy/a.ts <<EOF\nx\nEOF'],
      ['printf x | tee legacy/a.ts'],
      ['sed -i s/a/b/ legacy/a.ts'],
      ['rm -rf legacy'],
      ['git mv legacy/a.ts src/a.ts'],
      ['git rm legacy/a.ts'],
      ['perl -pi -e s/a/b/ legacy/a.ts'],
      ['cd legacy && (touch b.ts)'],
      ['(cd sub && ls); touch legacy/a.ts'],
      ['cd sub && cd ../legacy && touch b.ts'],
      ['cd /work/repo/legacy && touch b.ts', '/tmp'],
      ['node x.js > legacy/out.txt 2>&1'],
      ['node x.js &> legacy/out.txt'],
      ['cp a.ts legacy/b.ts'],
      ['install -m 644 a.ts legacy/b.ts'],
      ['ln -s ../a.ts legacy/b.ts'],
      ['rsync -a src/ legacy/'],
      ['dd if=a of=legacy/b'],
      ['shred legacy/a.ts'],
      ['git restore legacy/a.ts'],
      ['cd legacy && touch b.ts'],
      ['touch b.ts', '/work/repo/legacy'],
      ['touch /work/repo/legacy/b.ts', '/tmp'],
    ],
    not: [
      ['cat legacy/a.ts'],
      ['cp legacy/a.ts src/a.ts'],
      ['echo x > src/legacy/a.ts'],
      ['echo legacy/a.ts > list.txt'],
      ['(cd legacy && ls); (touch a.ts)'],
      ['grep x < legacy/a.ts'],
      ['touch legacy/a.ts', '/elsewhere'],
      ['cd "$DIR" && touch legacy/a.ts'],
      ['node build.js 2>&1'],
      ['(cd legacy && ls); touch a.ts'],
      ['cd && touch legacy/a.ts'],
      ['cd - && touch legacy/a.ts'],
      ['cd ~/x && touch legacy/a.ts'],
      ['git add legacy/a.ts'],
      ['git diff legacy/a.ts'],
      ['sed s/a/b/ legacy/a.ts'],
      ['tee < legacy/a.ts copy.ts'],
    ],
  },
};

describe('a matcher that a person named', () => {
  it.each(Object.entries(commands))('command "%s"', (pattern, { matched, not }) => {
    for (const line of matched) expect(isMatched({ command: [pattern] }, line), line).toBe(true);
    for (const line of not) expect(isMatched({ command: [pattern] }, line), line).toBe(false);
  });

  it.each(Object.entries(packages))('package "%s"', (name, { matched, not }) => {
    for (const line of matched) expect(isMatched({ package: [name] }, line), line).toBe(true);
    for (const line of not) expect(isMatched({ package: [name] }, line), line).toBe(false);
  });

  it.each(Object.entries(paths))('path "%s" in a command', (glob, { matched, not }) => {
    for (const [line, cwd] of matched) expect(isMatched({ path: [glob] }, line, cwd), line).toBe(true);
    for (const [line, cwd] of not) expect(isMatched({ path: [glob] }, line, cwd), line).toBe(false);
  });

  it('matches a file to which a link leads, also one that is still to be written', () => {
    const home = mkdtempSync(join(tmpdir(), 'backstory-rules-'));
    mkdirSync(join(home, 'legacy'));
    symlinkSync('legacy', join(home, 'link'));
    symlinkSync('/', join(home, 'outside'));
    const match = { path: ['legacy/**'] };
    const matches = (command: string, edits: FileEdit[] = []) =>
      brokenRules([{ match }], { command, cwd: home, root: home, edits }).length > 0;
    const edit = (path: string) => [{ path, added: 'x', removed: '' }];
    expect(matches('', edit('link/new.ts'))).toBe(true);
    expect(matches('', edit('link/deep/new.ts'))).toBe(true);
    expect(matches('cp a.ts link/b.ts')).toBe(true);
    expect(matches('', edit('links/new.ts'))).toBe(false);
    expect(matches('', edit('outside/legacy/new.ts'))).toBe(false);
    rmSync(home, { recursive: true });
  });

  it('matches the path of an edit by a glob, a folder, or a name in any folder', () => {
    const isUnder = (glob: string, path: string) => isEditMatched({ path: [glob] }, path, 'x');
    expect(isUnder('legacy/**', 'legacy/deep/a.ts')).toBe(true);
    expect(isUnder('src/gen', 'src/gen/api.ts')).toBe(true);
    expect(isUnder('/src/gen/', 'src/gen/api.ts')).toBe(true);
    expect(isUnder('*.lock', 'web/yarn.lock')).toBe(true);
    expect(isUnder('node_modules', 'web/node_modules/a/b.js')).toBe(true);
    expect(isUnder('legacy/**', 'src/legacy/a.ts')).toBe(false);
    expect(isUnder('src/gen', 'src/general.ts')).toBe(false);
    expect(isUnder('legacy/**', '/tmp/legacy/a.ts')).toBe(false);
  });

  it('matches text literally, and only if the edit adds it', () => {
    const match = { text: ['console.log('] };
    expect(isEditMatched(match, 'src/a.ts', 'console.log(x)')).toBe(true);
    expect(isEditMatched(match, 'src/a.ts', 'console.log(1); console.log(2)', 'console.log(1)')).toBe(true);
    expect(isEditMatched(match, 'src/a.ts', 'console.log(1) // y', 'console.log(1)')).toBe(false);
    expect(isEditMatched(match, 'src/a.ts', 'consoleXlog(x)')).toBe(false);
    expect(isMatched(match, `cat > a.ts <<'EOF'\nconsole.log(1)\nEOF`)).toBe(true);
    expect(isMatched(match, `echo 'console.log(1)' >> a.ts`)).toBe(true);
    expect(isMatched(match, `echo 'console.log(1)' | tee a.ts`)).toBe(true);
    expect(isMatched(match, `grep 'console.log(' -r src`)).toBe(false);
  });

  it('matches a package that is new in a manifest', () => {
    const adds = (path: string, added: string, removed = '', name = 'moment') =>
      isEditMatched({ package: [name] }, path, added, removed);
    expect(adds('package.json', '"moment": "^2.29.0"')).toBe(true);
    expect(adds('web/composer.json', '"moment": "*"')).toBe(true);
    expect(adds('deno.json', '"moment": "npm:moment"')).toBe(true);
    expect(adds('requirements-dev.txt', 'flask\nmoment==2\n')).toBe(true);
    expect(adds('pyproject.toml', 'dependencies = ["moment>=2"]')).toBe(true);
    expect(adds('Cargo.toml', 'moment = { version = "1" }')).toBe(true);
    expect(adds('Gemfile', `gem 'moment', '~> 1'`)).toBe(true);
    expect(adds('go.mod', 'require github.com/pkg/errors v0.9.1', '', 'github.com/pkg/errors')).toBe(true);
    expect(adds('package.json', '"moment": "^2.30.0"', '"moment": "^2.29.0"')).toBe(false);
    expect(adds('package.json', '"description": "a moment"')).toBe(false);
    expect(adds('package.json', '"moment-timezone": "1"')).toBe(false);
    expect(adds('requirements.txt', '# moment is gone\nmomentum==1')).toBe(false);
    expect(adds('src/a.json', '"moment": "1"')).toBe(false);
  });

  it('is enough if the note has others that do not match', () => {
    const match = {
      command: ['npm ci', 'git push'],
      path: ['a/**', 'b'],
      package: ['x', 'y'],
      text: ['1', '2'],
    };
    for (const line of ['npm ci', 'git push', 'touch b', 'npm i y', 'echo 2 > c'])
      expect(isMatched(match, line), line).toBe(true);
    expect(isMatched(match, 'npm i z > c')).toBe(false);
  });

  it('is refused if it names no command, or several', () => {
    for (const command of ['', ' ', '# x', 'a && b', 'A=1', 'x'.repeat(201)])
      expect(() => checkMatch({ command: [command] }), command).toThrow();
    expect(() => checkMatch({ text: Array.from({ length: 21 }, (_, at) => `text ${at}`) })).toThrow();
    expect(checkMatch({ command: ['git push'], path: ['a/**'] })).toEqual({
      command: ['git push'],
      path: ['a/**'],
    });
  });

  it('takes time in proportion to the length of the call', () => {
    const rules = [
      { match: { command: ['git push --force x'], path: ['a/**/b/**/c'], package: ['x'], text: ['aab'] } },
    ];
    const ms = (part: string, length: number, isEdit: boolean): number => {
      const text = part.repeat(length / part.length);
      const edits = isEdit ? [{ path: 'package.json', added: text, removed: '' }] : [];
      const start = process.cpuUsage().user;
      brokenRules(rules, call(isEdit ? '' : `git push ${text}`, root, edits));
      return (process.cpuUsage().user - start) / 1_000;
    };
    const check = (part: string, isEdit: boolean) => {
      // Four times the length; the square would take sixteen times as long. A busy machine gets several tries.
      const isLinear = () => ms(part, 40_000, isEdit) < 8 + ms(part, 10_000, isEdit) * 8;
      expect(isLinear() || isLinear() || isLinear() || isLinear(), JSON.stringify(part)).toBe(true);
    };
    const lines = ['A=1 ', '! ', 'a#', '$(', '`', '"$(', '(', "'", '\\', '<<A ', '<<A\n', 'cd a;', '> a '];
    const programs = ['sudo ', '| sh ', '-f ', 'rm a/b ', 'npm i x=', '1', "bash -c 'a' ", 'echo a|tee a '];
    for (const part of [...lines, ...programs]) check(part, false);
    for (const part of ['"x" ', ' ', '\n', 'aa']) check(part, true);
  });

  it('reads input that no shell would accept', () => {
    for (const line of ['"', "'", '$(', '`', '<<EOF', '&& ||', '> >', '\\'.repeat(99), '('.repeat(5_000)])
      expect(() => isMatched({ command: ['npm'] }, line)).not.toThrow();
  });
});
