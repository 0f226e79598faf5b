import { expect, it } from 'vitest';
import { shellCommand } from './shell-command.ts';

const words = ['C:\\Program Files\\nodejs\\node.exe', 'C:\\Users\\Ann Lee\\hook.cjs'];

it('quotes paths, with slashes that Git Bash, cmd.exe and PowerShell understand', () => {
  const quoted = '"C:/Program Files/nodejs/node.exe" "C:/Users/Ann Lee/hook.cjs"';
  expect(shellCommand(words, false, 'win32')).toBe(quoted);
  expect(shellCommand(words, true, 'win32')).toBe(`& ${quoted}`);
});

it('leaves other systems with their paths', () => {
  expect(shellCommand(['/opt/no de', '/a\\b.cjs'], true, 'linux')).toBe('"/opt/no de" "/a\\b.cjs"');
});
