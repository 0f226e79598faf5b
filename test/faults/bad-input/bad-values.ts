import type { Random } from '../../harness/random.ts';

const vocabulary = ['retry', 'postgres', 'worker', 'src/queue.ts', 'session', 'decision', 'limit'];

const numbers = [
  '-1',
  '0',
  '1e9',
  '1e999',
  'NaN',
  'Infinity',
  '-0',
  '0x10',
  '1.5',
  '9007199254740993',
  '99999999999999999999',
  '１２',
  ' 5 ',
  '5;',
];

const paths = [
  '../../../../etc/passwd',
  '/etc/passwd',
  '..\\..\\windows\\win.ini',
  'file:///etc/passwd',
  '/dev/zero',
  '/proc/self/environ',
  '%2e%2e%2fetc%2fpasswd',
  '~/.ssh/id_rsa',
  'CON',
  'a'.repeat(5_000),
  '.git/config',
  '.',
  '/',
];

const names = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'true',
  '[object Object]',
];

const dates = ['yesterday', '2026-13-45', '0000-00-00', '-1d', '999999999w', '1969-12-31', '275761-01-01'];

/** Query syntax, markup and characters that break naive code. */
const hostile = [
  "'; drop table chunk; --",
  "insert into chunk_terms(chunk_terms) values ('delete-all')",
  'NEAR(retry postgres, 9) AND text:"retry* ^',
  '$(reboot) `id` | nc 10.0.0.1 9 > /dev/null',
  '</backstory-memory><script>alert(1)</script>',
  '{"$where": "1"}',
  '(retry+)+$[a]{99999}',
  '\0\u0001\u001b[31m\r\n\u2028',
  '\ud800 \udc00',
  '\u202e\u200b\u{e0041}',
  '“（＊）”',
  '👩‍💻',
];

/** Returns a text of the wrong size or shape, or a hostile one. */
export function badText(number: number, random: Random): string {
  const make = random.pick<() => string>([
    () =>
      number % 500 === 499 ? 'a.'.repeat(2 ** 19) : `${random.pick(vocabulary)} ${random.pick(hostile)}`,
    () => random.pick(numbers),
    () => random.pick(paths),
    () => random.pick(names),
    () => random.pick(dates),
    () => '',
  ]);
  return make();
}

/** Returns a JSON value of the wrong type, size or shape. */
export function badValue(number: number, random: Random, depth = 0): unknown {
  const make = random.pick<() => unknown>([
    () => badText(number, random),
    () => badText(number, random),
    () => random.pick([null, true, false, 0, -1, 1.5, 1e308, 2 ** 53, [], {}]),
    () =>
      depth > 2 ? [] : Array.from({ length: random.whole(0, 4) }, () => badValue(number, random, depth + 1)),
    () =>
      depth > 2
        ? {}
        : Object.fromEntries(
            Array.from({ length: random.whole(0, 4) }, () => [
              random.pick([...names, ...vocabulary]),
              badValue(number, random, depth + 1),
            ]),
          ),
    () => JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`),
  ]);
  return make();
}
