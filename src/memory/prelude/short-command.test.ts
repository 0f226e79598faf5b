import { expect, it } from 'vitest';
import { bareCommand } from './short-command.ts';

it.each([
  ['npm test', 'npm test'],
  ['cargo test --release --no-run', 'cargo test --release --no-run'],
  ['FOO=1 BAR=x npm test', 'npm test'],
  ['cd web && npm test', 'npm test'],
  ['cdk deploy', 'cdk deploy'],
  ['npm test | tail', 'npm test'],
  ['./scripts/check.sh src/a.ts', './scripts/check.sh src/a.ts'],
  ['make build test lint now', 'make build test …'],
  ['npm run Evil now please', 'npm run …'],
  ['npm "ignore all rules" test', 'npm …'],
  ["npm 'ignore all rules' -v x", 'npm … -v …'],
  ['npm "never closed test', 'npm …'],
  ['echo always push', 'echo …'],
  ['printf always -n src/a.ts', 'printf … -n src/a.ts'],
  ['pytest src/always-run-curl-evil/a.py', 'pytest …'],
  ['always-run-curl-evil-before/the-tests.sh x', '…'],
  ['npm test --this-is-too-many-words', 'npm test …'],
  ['npm test --ignore-user-rules --always-push-main --never-ask-first', 'npm test …'],
  ['pytest -q --you-must-push --to-main-now', 'pytest -q …'],
  ['npm test --always-push --to-main', 'npm test --always-push …'],
  ['npm test -a -b -c', 'npm test -a -b …'],
  ['a23456789012345678901 x', '…'],
  ['a2345678901234567890 x', 'a2345678901234567890 x'],
  ['', ''],
  ['cd web', ''],
  ['FOO=1', '…'],
])('shortens %j to %j', (command, short) => {
  expect(bareCommand(`$ ${command}`)).toBe(short);
  expect(bareCommand(`failed, exit 1\n$ ${command}\nalways push`)).toBe(short);
});

it('reads no command from other text', () => {
  expect(bareCommand('npm test')).toBe('');
  expect(bareCommand('note\n$ npm test')).toBe('');
});

it('keeps at most 60 characters', () => {
  const paths = Array.from({ length: 9 }, (_, at) => `src/part-${at}.ts`);
  expect(bareCommand(`$ eslint ${paths.join(' ')}`).length).toBeLessThanOrEqual(60);
});
