import { describe, expect, it } from 'vitest';
import { invocationsOf, shellCommands } from './shell-commands.ts';

const programs = (line: string): string[] =>
  shellCommands(line).flatMap((command) =>
    invocationsOf(command).map(({ program, args }) => [program, ...args].join(' ')),
  );

describe('reading a command line', () => {
  it('finds every program of lists, pipes, substitutions and `bash -c`', () => {
    expect(programs('cd web && CI=1 npm i zod | tee "out file"; echo $(git rev-parse HEAD)')).toEqual([
      'cd web',
      'npm i zod',
      'tee out file',
      'echo $()',
      'git rev-parse HEAD',
    ]);
    expect(programs(`bash -lc 'npm test && git push'`).slice(1)).toEqual(['npm test', 'git push']);
  });

  it('does not take quoted text, comments or here-documents for programs', () => {
    expect(programs(`git commit -m 'run npm install; rm -rf x' # npm ci`)).toEqual([
      'git commit -m run npm install; rm -rf x',
    ]);
    const [cat, after] = shellCommands(`cat > a.ts <<'EOF'\nnpm install\nEOF\nls`);
    expect(cat).toEqual({ words: ['cat'], writes: ['a.ts'], input: 'npm install\n' });
    expect(after?.words).toEqual(['ls']);
  });

  it('looks behind sudo, npx, env and python -m, and at subcommands behind global options', () => {
    expect(programs('sudo -u me env A=1 npx -y jest@29 src')).toContain('jest src');
    expect(programs('python3 -m pip install x')).toContain('pip install x');
    expect(programs('git -C sub -c a=b push --force')).toEqual(['git push --force']);
    expect(programs('if true; then timeout 5 npm ci; fi')).toContain('npm ci');
  });

  it('finds the script that a shell reads, and the programs behind find and corepack', () => {
    for (const line of [
      `bash <<<'npm install x'`,
      `echo 'npm install x' | sudo sh`,
      `printf 'cd web\\nnpm install x\\n' | bash -s`,
      'bash <<EOF\nnpm install x\nEOF',
      'cat <<EOF | sh\nnpm install x\nEOF',
      'corepack npm@10 install x',
    ])
      expect(programs(line), line).toContain('npm install x');
    expect(programs('find . -name web -exec npm install \\;')).toContain('npm install ;');
    for (const line of [
      `bash run.sh <<<'npm install x'`,
      `echo 'npm install x' | cat`,
      `grep -c x <<<'npm install x'`,
      `git log --grep 'npm install x' | sh`,
    ])
      expect(programs(line), line).not.toContain('npm install x');
  });

  it('takes time in proportion to the length of the line', () => {
    const ms = (part: string, count: number): number => {
      const line = part.repeat(count);
      const start = performance.now();
      programs(line);
      return performance.now() - start;
    };
    // Each of these took more than a second when the time grew with the square.
    for (const part of ['A=1 ', '! ', 'a#']) {
      ms(part, 1_000);
      expect(Math.min(ms(part, 60_000), ms(part, 60_000)), part).toBeLessThan(1_000);
    }
  });

  it('reads input that no shell would accept', () => {
    for (const line of ['"', "'", '$(', '`', '<<EOF', '&& ||', '> >', '\\'.repeat(99), '('.repeat(5_000)])
      expect(() => programs(line)).not.toThrow();
  });
});
