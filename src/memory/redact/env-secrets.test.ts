import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseEnv, redactorFor, secretValues } from './env-secrets.ts';

const root = mkdtempSync(join(tmpdir(), 'backstory-values-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const write = (name: string, text: string): void => writeFileSync(join(root, name), text);

describe('known secret values', () => {
  it('[redact-env-values] are masked wherever they occur, escaped or not', () => {
    write('.env.local', 'NODE_ENV=development\nDB_PASSWORD="cat&\\"tower7"\nPORT=3000\n');
    const value = parseEnv('DB_PASSWORD="cat&\\"tower7"')[0]?.[1] as string;
    const { redact, redactDeep } = redactorFor([root], {});
    expect(redact(`is (${value}) right?`)).toBe('is ([redacted:known-value]) right?');
    expect(JSON.stringify(redactDeep({ a: [`x${value}y`] }))).not.toContain('tower7');
    expect(redact(`?p=${encodeURIComponent(value)}&q=1`)).not.toContain('tower7');
    expect(redact('development on 3000')).toBe('development on 3000');
  });

  it('[redact-environment] are taken from variables with names of credentials', () => {
    const variables = {
      MY_TOKEN: 'plum-Tree-19x',
      HOME_TOKEN_FILE: '/run/secrets/token-1',
      EDITOR: 'plum-Pit-20x',
      PATH: '/usr/bin',
    };
    expect(secretValues([], variables)).toEqual(['plum-Tree-19x']);
    expect(redactorFor([], variables).redact('use plum-Tree-19x')).toBe('use [redacted:known-value]');
  });

  it('do not include two ordinary words, which occur in many texts', () => {
    const variables = { A_TOKEN: 'plum-tree', B_TOKEN: 'Plum Tree', C_TOKEN: 'pLum-trEe' };
    expect(secretValues([], variables)).toEqual(['pLum-trEe']);
  });

  it('are read again when a file has changed, but not from example files', () => {
    write('.env', 'API_KEY=first-Value-11\n');
    write('.env.example', 'API_KEY=shown-Value-33\n');
    expect(secretValues([root], {})).toContain('first-Value-11');
    write('.env', 'API_KEY=other-Value-22\n');
    utimesSync(join(root, '.env'), 1, 1);
    expect(secretValues([root], {})).toContain('other-Value-22');
    expect(secretValues([root], {})).not.toContain('first-Value-11');
    expect(secretValues([root], {})).not.toContain('shown-Value-33');
  });

  it.skipIf(process.platform === 'win32')('are read only from regular files of the checkout', () => {
    const clone = join(root, 'clone');
    mkdirSync(join(clone, '.env.folder'), { recursive: true });
    writeFileSync(join(root, 'outside'), 'API_KEY=outside-Value-1\n');
    writeFileSync(join(clone, 'settings'), 'API_KEY=inside-Value-2\n');
    writeFileSync(join(clone, '.env.large'), `API_KEY=large-Value-3\n${'#'.repeat(64 * 1024)}`);
    execFileSync('mkfifo', [join(clone, '.env.pipe')]);
    const links = { '.env': '/dev/zero', '.env.a': '../outside', '.env.b': '/dev/tty', '.env.c': '.env.c' };
    for (const [name, target] of Object.entries({ ...links, '.env.d': 'settings' }))
      symlinkSync(target, join(clone, name));
    expect(secretValues([clone], {})).toEqual(['inside-Value-2']);
  });

  it('[redact-env-values] are also read from the folders of a monorepo', () => {
    mkdirSync(join(root, 'packages', 'api'), { recursive: true });
    mkdirSync(join(root, 'backend'), { recursive: true });
    mkdirSync(join(root, 'node_modules', 'left'), { recursive: true });
    write('packages/api/.env', 'DB_PASSWORD=plum-Api-77x\n');
    write('backend/.env.local', 'API_TOKEN=plum-Back-78x\n');
    write('node_modules/left/.env', 'API_TOKEN=plum-Left-79x\n');
    const values = secretValues([root], {});
    expect(values).toContain('plum-Api-77x');
    expect(values).toContain('plum-Back-78x');
    expect(values).not.toContain('plum-Left-79x');
  });

  it('are parsed with quotes, comments, exports and multi-line values', () => {
    expect(parseEnv('export A=1 # one\nB = "two # 2"\nC=\'x\ny\'\n# D=4\n')).toEqual([
      ['A', '1'],
      ['B', 'two # 2'],
      ['C', 'x\ny'],
    ]);
  });
});
