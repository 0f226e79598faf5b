import { describe, expect, it } from 'vitest';
import { cpuMsSince } from '../../test/support/cpu-time.ts';
import { matchesGlob } from './glob.ts';

const home = '/home/ann';

const matching: [pattern: string, path: string][] = [
  ['~/clients/**', '/home/ann/clients'],
  ['~/clients/**', '/home/ann/clients/acme/app'],
  ['~/clients/', '/home/ann/clients/acme'],
  ['~/clients/*', '/home/ann/clients/acme'],
  ['~', '/home/ann'],
  ['/srv/secret', '/srv/secret'],
  ['*.pem', 'keys/server.pem'],
  ['*.pem', 'server.pem'],
  ['node_modules', '/home/ann/app/node_modules'],
  ['**/node_modules', '/home/ann/app/node_modules'],
  ['**/node_modules', 'node_modules'],
  ['**/private/**', '/home/ann/private/diary.md'],
  ['src/**/*.key', 'src/deep/down/server.key'],
  ['src/**/*.key', 'src/server.key'],
  ['secret?.txt', 'secret1.txt'],
  ['a+b(c)[d].{e}', 'a+b(c)[d].{e}'],
  ['keys/*', 'keys\\server.pem'],
  ['~/caf\u00e9/**', '/home/ann/cafe\u0301/menu'],
  ['keys\\*', 'keys\\server.pem'],
  ['~\\clients\\**', '/home/ann/clients/acme'],
];

const other: [pattern: string, path: string][] = [
  ['~/clients/**', '/home/ann/clients-old/acme'],
  ['~/clients/**', '/home/bob/clients/acme'],
  ['~/clients/*', '/home/ann/clients/acme/app'],
  ['/srv/secret', '/srv/secret/below'],
  ['*.pem', 'server.pem.txt'],
  ['secret?.txt', 'secret.txt'],
  ['secret?.txt', 'secret/.txt'],
  ['src/*.key', 'src/deep/server.key'],
  ['a.c', 'abc'],
  ['**/private', '/home/ann/notprivate'],
];

describe('matchesGlob', () => {
  it.each(matching)('%s matches %s', (pattern, path) => {
    expect(matchesGlob(path, pattern, home)).toBe(true);
  });

  it.each(other)('%s does not match %s', (pattern, path) => {
    expect(matchesGlob(path, pattern, home)).toBe(false);
  });

  it('matches below a home folder of Windows', () => {
    expect(matchesGlob('C:\\Users\\ann\\clients\\acme', '~/clients/**', 'C:\\Users\\ann')).toBe(true);
    expect(matchesGlob('C:\\Users\\ann\\clients', 'C:\\Users\\ann\\clients', 'C:\\Users\\ann')).toBe(true);
  });

  it('[glob-fast] matches a pathological pattern quickly', () => {
    const started = process.cpuUsage();
    matchesGlob('a'.repeat(200), '*a'.repeat(8), home);
    matchesGlob(`${'/a'.repeat(300)}b`, `${'/**/a'.repeat(6)}`, home);
    expect(cpuMsSince(started)).toBeLessThan(2_000);
  });
});
