import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allowedToolsEditor, readOnlyTools } from './allowed-tools.ts';
import { undoEdits } from './json-edit.ts';
import type { Entries } from './setup.ts';

const editor = allowedToolsEditor({ allow: readOnlyTools('core') } as Entries);
const rule = 'mcp__backstory__recall';
const allowIn = (text: string): string[] => JSON.parse(text).permissions.allow;

const settings: [name: string, text: string][] = [
  ['nothing', ''],
  ['no permissions', '{\n\t"model": "opus"\n}\n'],
  ['other permissions', '{"permissions":{"deny":["Bash(rm *)"]}}'],
  [
    'allowed commands',
    '{\r\n  "permissions": {\r\n    "allow": [\r\n      "Bash(npm *)"\r\n    ]\r\n  }\r\n}\r\n',
  ],
  ['an empty list', '{ "permissions": { "allow": [] } }'],
  ['one of the rules', `{ "permissions": { "allow": ["${rule}", "Bash(npm *)"] } }`],
];

describe('allowing the tools that only read', () => {
  it.each(settings)('is undone byte for byte in settings with %s', (_, text) => {
    const added = editor.add(text, 'settings.json');
    expect(editor.has(added.text, 'settings.json')).toBe(true);
    expect(allowIn(added.text).filter((one) => one === rule)).toHaveLength(1);
    expect(undoEdits(added.text, added.undo)).toBe(text);
  });

  it.each(settings)('takes away only its own rules once somebody has edited settings with %s', (_, text) => {
    const kept = editor.containers(text, 'settings.json');
    const edited = editor.add(text, 'settings.json').text.replace('{', '{"theme":"dark",');
    const left = JSON.parse(editor.remove(edited, 'settings.json', kept).text);
    expect(left).toEqual({ theme: 'dark', ...JSON.parse(text || '{}') });
  });

  it('keeps a rule that the user added since, in a list that Backstory made', () => {
    const added = editor.add('{}', 'settings.json').text.replace(`"${rule}"`, `"Bash(ls)", "${rule}"`);
    const left = editor.remove(added, 'settings.json', editor.containers('{}', 'settings.json'));
    expect(allowIn(left.text)).toEqual(['Bash(ls)']);
  });

  it('covers every tool of a set that only reads, and none that writes', () => {
    const reference = readFileSync('docs/reference/mcp.md', 'utf8');
    const writing = [...reference.matchAll(/^\| `(\w+)` \(writes\)/gm)].map(([, name]) => name);
    expect(writing).toContain('remember');
    for (const set of ['core', 'memory', 'code', 'all']) {
      const row = new RegExp(`^\\| \`${set}\` \\| (.*) \\|$`, 'm').exec(reference)?.[1] ?? '';
      const names = [...row.matchAll(/\w+/g)].map(([name]) => name);
      expect(names.length).toBeGreaterThan(5);
      expect(readOnlyTools(set)).toEqual(names.filter((name) => !writing.includes(name)));
    }
  });
});
