import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { knowledgeAsNotes } from '../memory/capture/repository-notes.ts';
import { formatKnowledge, readKnowledgeFiles, writeKnowledge } from '../store/repo/knowledge-file.ts';
import { buildKnowledge } from './build-knowledge.ts';
import { commandsOf } from './commands.ts';
import { createProjectTree } from './project-tree.ts';
import { renderKnowledge } from './render-knowledge.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'backstory-knowledge-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(files: Record<string, string>): string[] {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return Object.keys(files);
}

const commands = (files: Record<string, string>): string[] =>
  commandsOf(createProjectTree(root, write(files))).map(({ purpose, run }) => `${purpose}: ${run}`);

/** Without a parser. test/e2e/knowledge.test.ts tests symbols with the real one. */
const code = { outline: async () => ({ symbols: [], how: 'lines' }) as never };

const project = {
  'package.json': JSON.stringify({
    main: 'src/index.ts',
    scripts: { test: 'vitest', build: 'tsc', lint: 'biome check', prepack: 'x' },
  }),
  'pnpm-lock.yaml': '',
  'src/index.ts': "import { claim } from './queue/claim.ts';\n",
  'src/queue/claim.ts': '/** Claims jobs for the workers, a batch at a time. */\nexport const claim = 1;\n',
  'src/queue/index.ts':
    "/**\n * Jobs that wait to be done, and who does them.\n */\nimport './claim.ts';\nimport './worker.ts';\n",
  'src/queue/worker.ts': "import { claim } from './claim.js';\n",
  'src/billing/invoice.ts': "import { claim } from '../queue/claim';\n",
  'src/billing/tax.ts': "export * from '../queue/claim.ts';\n",
  'src/billing/tax.test.ts': "import './tax.ts';\n",
  '.github/workflows/ci.yml': 'name: Checks\non: push\n',
};

describe('knowledge', () => {
  it('[knowledge-build] includes build and test commands, folders and key files', async () => {
    const paths = write(project);
    const knowledge = await buildKnowledge({ root, name: 'harbour', paths, code, written: undefined });
    expect(knowledge).toMatchObject({
      summary: '',
      conventions: [],
      keyFiles: [{ path: 'src/index.ts', why: 'entry point' }],
    });
    expect(knowledge.commands.map(({ run }) => run)).toEqual([
      'pnpm install',
      'pnpm run build',
      'pnpm test',
      'pnpm run lint',
    ]);
    expect(knowledge.architecture).toEqual([
      {
        title: 'Folders',
        text: 'src/billing/: invoice.ts, tax.ts\nsrc/queue/: claim.ts, index.ts, worker.ts',
        source: '',
      },
    ]);
    expect(renderKnowledge(knowledge, (text) => text)).toContain('pnpm test');
  });

  it('keeps what was written by hand when it is built again', async () => {
    const paths = write(project);
    const first = await buildKnowledge({ root, name: 'harbour', paths, code, written: undefined });
    const written = {
      ...first,
      summary: 'Harbour keeps invoices.',
      architecture: [...first.architecture, { title: 'Queue', text: 'Jobs live in Postgres.', source: '' }],
      conventions: [{ source: '', rules: ['Use pnpm, not npm.'] }],
    };
    const again = await buildKnowledge({ root, name: 'harbour', paths, code, written });
    expect(again).toEqual(written);
  });

  it('[knowledge-stable] gives the same bytes for the same files, in any order', async () => {
    const paths = write(project);
    const first = formatKnowledge(
      await buildKnowledge({ root, name: 'harbour', paths, code, written: undefined }),
    );
    const again = await buildKnowledge({
      root,
      name: 'harbour',
      paths: [...paths].reverse(),
      code,
      written: undefined,
    });
    expect(formatKnowledge(again)).toBe(first);
    writeKnowledge(root, again);
    expect(readKnowledgeFiles(root)[0]?.knowledge).toEqual(again);
    const withOwn = await buildKnowledge({
      root,
      name: 'harbour',
      paths: [...paths, '.backstory/knowledge.json'],
      code,
      written: undefined,
    });
    expect(formatKnowledge(withOwn)).toBe(first);
  });

  it('finds files that are changed often, and ignores commits that change everything', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: root });
    const paths = write(project);
    git('init', '-q');
    for (let at = 0; at < 6; at++) {
      write({ 'src/billing/invoice.ts': `export const at = ${at};\n` });
      git('add', '.');
      git('commit', '-qm', `change ${at}`);
    }
    const { keyFiles } = await buildKnowledge({ root, name: 'harbour', paths, code, written: undefined });
    expect(keyFiles).toContainEqual({ path: 'src/billing/invoice.ts', why: 'changed often', symbols: [] });
  });

  it('[knowledge-forge] reads .forge/knowledge.json in its different formats', () => {
    write({
      '.forge/knowledge.json': JSON.stringify({
        architecture_notes: { Queue: 'lives in postgres' },
        key_files: ['src/a.ts', { file: 'src/b.ts', purpose: 'the worker' }],
        conventions: ['never floats', { title: 'Errors', text: 'wrap them' }],
      }),
    });
    const [file] = readKnowledgeFiles(root);
    expect(file?.knowledge).toMatchObject({
      architecture: [{ title: 'Queue', text: 'lives in postgres' }],
      keyFiles: [{ path: 'src/a.ts' }, { path: 'src/b.ts', why: 'the worker' }],
      conventions: [{ source: '', rules: ['never floats', 'Errors: wrap them'] }],
    });
    const notes = knowledgeAsNotes('.forge/knowledge.json', file?.knowledge as never, '2026-01-01T00:00:00Z');
    expect(notes.map(({ kind, trust, state }) => [kind, trust, state])).toEqual(
      Array(3).fill(['knowledge', 0, 'candidate']),
    );
  });

  it('ignores invalid knowledge files without failing', () => {
    for (const text of [
      '',
      '[]',
      '{"architecture": 5, "keyFiles": {"a": null}, "commands": [{"purpose": "evil"}]}',
    ]) {
      write({ '.backstory/knowledge.json': text });
      for (const { path, knowledge } of readKnowledgeFiles(root))
        expect(() => knowledgeAsNotes(path, knowledge, '')).not.toThrow();
    }
  });

  it('lists a command only if a file defines it', () => {
    expect(commands({ 'README.md': 'run make test' })).toEqual([]);
    expect(
      commands({ Makefile: '.PHONY: test\ntest: build\n\tgo test\nbuild:\n\tgo build\nX := 1\n' }),
    ).toEqual(['build: make build', 'test: make test']);
    expect(
      commands({ Makefile: '', 'pyproject.toml': '[tool.pytest.ini_options]\n[tool.ruff]\n', 'uv.lock': '' }),
    ).toEqual(['install: uv sync', 'test: uv run pytest', 'lint: uv run ruff check']);
    expect(commands({ 'go.mod': 'module x\n', '.golangci.yml': '' }).join()).toContain('golangci-lint run');
    expect(commands({ 'pom.xml': '<x/>', mvnw: '' })).toContain('test: ./mvnw test');
  });
});
