import { expect, it } from 'vitest';
import { startAgent } from './settings.ts';

it('passes the prompt to OpenCode with --prompt, unless there is a subcommand', () => {
  expect(startAgent('opencode', 'go on', []).args).toEqual(['--prompt', 'go on']);
  const options = ['--model', 'x'];
  expect(startAgent('opencode', 'go on', options).args).toEqual([...options, '--prompt', 'go on']);
  expect(startAgent('opencode', 'go on', ['run', '--json']).args).toEqual(['run', '--json', 'go on']);
});
