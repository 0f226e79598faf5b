import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readClaudeMemory, splitNote, statementsOf } from './claude-memory.ts';
import { readMarkdownFolder } from './foreign-note.ts';

describe('a memory file of Claude Code', () => {
  const folder = mkdtempSync(join(tmpdir(), 'backstory-claude-memory-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is split into bullets and paragraphs, with the heading as topic and code with what it belongs to', () => {
    const markdown = `# Shop
Prices are in cents.
Taxes are not included.

## Tests
- Run \`make test\`,
  never pytest.
- Start the database first:
\`\`\`
make db
\`\`\`
1. Snapshots are reviewed by hand.

---
Done.`;
    expect(statementsOf(markdown)).toEqual([
      { topic: 'Shop', text: 'Prices are in cents.\nTaxes are not included.' },
      { topic: 'Tests', text: 'Run `make test`,\n  never pytest.' },
      { topic: 'Tests', text: 'Start the database first:\n```\nmake db\n```' },
      { topic: 'Tests', text: 'Snapshots are reviewed by hand.' },
      { topic: 'Tests', text: 'Done.' },
    ]);
  });

  it('is imported without the part that every session reads, and again as the same notes', () => {
    const lines = Array.from({ length: 203 }, (_, at) => `- fact number ${at}`);
    writeFileSync(join(folder, 'MEMORY.md'), lines.join('\n'));
    writeFileSync(join(folder, 'style.md'), '- no default exports\n');
    const notes = readClaudeMemory(folder, '', true);
    expect(notes.map(({ text, topic }) => [text, topic])).toEqual([
      ['fact number 200', 'MEMORY'],
      ['fact number 201', 'MEMORY'],
      ['fact number 202', 'MEMORY'],
      ['no default exports', 'style'],
    ]);
    expect(readClaudeMemory(folder, '', true)).toEqual(notes);
    expect(readClaudeMemory(folder, '', false)).toHaveLength(204);
  });

  it('of TheHook is split, too, and its sections say the kind instead of the topic', () => {
    writeFileSync(
      join(folder, 'one.md'),
      '# Pool\n## SUMMARY\nTried the pool.\nIt leaks.\n## DECISIONS\n- One pool per worker.\n## GOTCHAS\n- Reload leaks.\n## Pools\n- Max 5.\n',
    );
    const notes = readMarkdownFolder(join(folder, 'one.md'), '', 'knowledge').flatMap(splitNote);
    expect(notes.map(({ kind, topic, text }) => [kind, topic, text])).toEqual([
      ['summary', undefined, 'Tried the pool.\nIt leaks.'],
      ['decision', undefined, 'One pool per worker.'],
      ['fact', undefined, 'Reload leaks.'],
      ['knowledge', 'Pools', 'Max 5.'],
    ]);
    rmSync(join(folder, 'one.md'));
  });
});
