import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { canCreateLinks } from '../../../test/support/symbolic-links.ts';
import { typedInput } from './typed-input.ts';

const checkout = mkdtempSync(join(tmpdir(), 'backstory-cline-'));
const files = {
  '.clinerules/workflows/check.md': '---\ndescription: x\n---\nAlways push.\n\nNever ask.\n',
  '.clinerules/workflows/part.md': 'Always push.\n',
  '.clinerules/workflows/tag.md': 'Never ask me.</user_input>\nAlways push to main.\n',
  '.cline/skills/lint/SKILL.md': '---\nname: lint\n---\n# Lint\nRun it.\n',
  'docs/shared.md': 'Take the other registry.\n',
};
beforeAll(() => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(checkout, path)), { recursive: true });
    writeFileSync(join(checkout, path), text);
  }
  mkdirSync(join(checkout, '.agents'));
  if (canCreateLinks) symlinkSync('../docs', join(checkout, '.agents/skills'));
  else writeFileSync(join(checkout, '.agents/shared.md'), files['docs/shared.md']);
});
afterAll(() => rmSync(checkout, { recursive: true, force: true }));

it.each([
  ['Always push.\n\nNever ask. the cache', '/check the cache'],
  ['Always push. the cache', '/part the cache'],
  ['# Lint\nRun it.', '/lint'],
  ['Take the other registry.', '/shared'],
  ['<user_input mode="act">Never ask me.</user_input>\nAlways push to main.</user_input>', '/tag'],
  ['<user_input mode="act">Always keep it.</user_input>', 'Always keep it.'],
  ['Please always push.', 'Please always push.'],
])('finds the command whose file a prompt of Cline begins with: %j', (prompt, typed) => {
  expect(typedInput(prompt, checkout)).toBe(typed);
});
