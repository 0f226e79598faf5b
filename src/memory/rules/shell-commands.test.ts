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

  it('reads input that no shell would accept', () => {
    for (const line of ['"', "'", '$(', '`', '<<EOF', '&& ||', '> >', '\\'.repeat(99), '('.repeat(5_000)])
      expect(() => programs(line)).not.toThrow();
  });
});
