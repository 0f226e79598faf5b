import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dialects } from '../../../bench/memo/dialects.ts';
import { contentsAfter, fileKey, freshness } from '../../../src/memo/context-contents.ts';
import { textOnDisk } from '../../../src/memo/lines-in-output.ts';
import { stepsOf } from '../../../src/memo/steps.ts';
import { resolvePlace } from '../../../src/memory/projects/projects.ts';
import { fileLines } from '../../../src/text/file-lines.ts';
import { createMemoryHome, type MemoryHome } from '../../support/memory-home.ts';

const content = 'export const cache = "disk";\nexport const size = 3;\nexport const age = 4;\n';
let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
});
afterEach(() => memory.remove());

const put = (path: string, text: string): string => {
  const file = join(memory.work, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};
const speaker = () => ({ cwd: memory.work, session: 'session-1' });

async function statusOf(path: string): Promise<string> {
  const parts = memory.open();
  const { steps } = await stepsOf(parts, { agentSession: 'session-1' });
  const { place } = resolvePlace(memory.paths, memory.work, memory.clock);
  const file = contentsAfter(steps).files.get(fileKey(place.checkout, path));
  const text = textOnDisk(realpathSync(memory.work), join(realpathSync(memory.work), path));
  return freshness(file, text === undefined ? undefined : fileLines(text), parts.device.key).status;
}
const reads = () => memory.events().flatMap((event) => (event.kind === 'read' ? [event.body] : []));

describe.each(Object.entries(dialects))('reads of %s', (_agent, dialect) => {
  it('[memo-reads] are recorded at once, with lines and size but without text', async () => {
    const path = put('src/cache.ts', content);
    memory.hook(dialect.read(speaker(), path, content));
    expect(reads()).toMatchObject([{ path: 'src/cache.ts', startLine: 1, lines: 3, total: 3 }]);
    expect(reads()[0]?.hash).toMatch(/^[0-9a-f]{32}$/);
    expect(reads()[0]?.tokens).toBeGreaterThan(10);
    expect(await statusOf('src/cache.ts')).toBe('fresh');
    put('src/cache.ts', content.replace('3', '5'));
    expect(await statusOf('src/cache.ts')).toBe('stale');
    memory.hook(dialect.read(speaker(), path, content.replace('3', '5')));
    expect(await statusOf('src/cache.ts')).toBe('fresh');
    memory.hook(dialect.compact(speaker()));
    expect(await statusOf('src/cache.ts')).toBe('unknown');
  });

  it('[memo-reads] include the lines that its shell commands print', async () => {
    put('src/cache.ts', content);
    const second = 'export const size = 3;\n';
    memory.hook(dialect.shell(speaker(), "sed -n '2,2p' src/cache.ts", second));
    expect(reads()).toMatchObject([{ path: 'src/cache.ts', startLine: 2, lines: 1 }]);
    put('src/cache.ts', content.replace('age = 4', 'age = 5'));
    expect(await statusOf('src/cache.ts')).toBe('fresh');
    put('src/cache.ts', content.replace('size = 3', 'size = 5'));
    expect(await statusOf('src/cache.ts')).toBe('stale');
    memory.hook(
      dialect.shell(speaker(), 'rg -n nothing src/cache.ts', 'src/cache.ts:2:export const size = 5;\n'),
    );
    expect(reads().at(-1)).toMatchObject({ path: 'src/cache.ts', lines: 0, hash: '' });
    expect(await statusOf('src/cache.ts')).toBe('stale');
  });

  it('[memo-own-edit] stay valid after its own edit, but not after somebody else’s', async () => {
    const path = put('src/cache.ts', content);
    memory.hook(dialect.read(speaker(), path, content));
    const [old, now] = ['export const size = 3;', 'export const size = 4;\nexport const more = 1;'];
    const edited = content.replace(old, now);
    put('src/cache.ts', edited);
    memory.hook(dialect.edit(speaker(), path, content, old, now));
    expect(await statusOf('src/cache.ts')).toBe('fresh');
    put('src/cache.ts', edited.replace('4', '9'));
    expect(await statusOf('src/cache.ts')).toBe('stale');
  });
});

it('exclude output of which Claude Code gave its model only a preview', () => {
  put('a.ts', content);
  const call = dialects['claude-code']?.shell(speaker(), 'cat a.ts', content) as { tool_response: object };
  const tool_response = { ...call.tool_response, persistedOutputPath: '/tmp/output.txt' };
  memory.hook({ ...call, tool_response });
  expect(reads()).toEqual([]);
});

it('exclude a command whose output does not contain the file', () => {
  put('a.ts', content);
  memory.hook(dialects.codex?.shell(speaker(), 'cat a.ts', 'something else\n') as object);
  expect(reads()).toMatchObject([{ path: 'a.ts', lines: 0, hash: '' }]);
});
