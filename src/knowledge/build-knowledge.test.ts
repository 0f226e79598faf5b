import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { knowledgeAsNotes } from '../memory/capture/repository-notes.ts';
import { formatKnowledge, readKnowledgeFiles, writeKnowledge } from '../store/repo/knowledge-file.ts';
import { buildKnowledge } from './build-knowledge.ts';
import { commandsOf } from './commands.ts';
import { openingComment } from './layout.ts';
import { sectionsOf } from './markdown.ts';
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
  'README.md':
    '# Harbour\n\n[![badge](x)](y)\n\n<p align="center">hi</p>\n\nHarbour keeps **invoices** and their [jobs](x) in one place.\n\nMore.\n',
  'AGENTS.md':
    '# Agents\n\n- Never log and return the same error.\n- Thank you for reading.\n- Use pnpm, not npm.\n',
  'ARCHITECTURE.md':
    '# Architecture\n\n## Queue\n\nJobs live in Postgres and are claimed with SKIP LOCKED, twenty at a time, by workers.\n',
  'docs/adr/0001-postgres.md':
    '# 1. Postgres for the queue\n\n## Decision\n\nThe queue is a Postgres table, because the Redis failover lost jobs in March.\n',
  'docs/adr/0002-old.md':
    '# 2. Old\n\n## Status\n\nSuperseded by 3\n\n## Decision\n\nThis is no longer what we do, at all, here.\n',
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
  it('[knowledge-build] includes a summary, build and test commands, key files and rules', async () => {
    const paths = write(project);
    const knowledge = await buildKnowledge({ root, name: 'harbour', paths, code });
    expect(knowledge).toMatchObject({
      summary: 'Harbour keeps invoices and their jobs in one place.',
      languages: ['TypeScript'],
      conventions: [
        { source: 'AGENTS.md', rules: ['Never log and return the same error.', 'Use pnpm, not npm.'] },
      ],
      keyFiles: [
        { path: 'src/index.ts', why: 'entry point' },
        { path: 'src/queue/claim.ts', why: 'used by many files' },
      ],
    });
    expect(knowledge.commands.map(({ run }) => run)).toEqual([
      'pnpm install',
      'pnpm run build',
      'pnpm test',
      'pnpm run lint',
    ]);
    const parts = Object.fromEntries(knowledge.architecture.map(({ title, text }) => [title, text]));
    expect(parts.Folders).toContain('src/queue/: Jobs that wait to be done, and who does them.');
    expect(parts.Tests).toBe('Tests are beside the sources, such as src/billing/tax.test.ts.');
    expect(parts.Queue).toContain('SKIP LOCKED');
    expect(parts['1. Postgres for the queue']).toContain('Redis failover');
    expect(parts['2. Old']).toBeUndefined();
    expect(renderKnowledge(knowledge, (text) => text)).toContain('pnpm test');
  });

  it('[knowledge-stable] gives the same bytes for the same files, in any order', async () => {
    const paths = write(project);
    const first = formatKnowledge(await buildKnowledge({ root, name: 'harbour', paths, code }));
    const again = await buildKnowledge({ root, name: 'harbour', paths: [...paths].reverse(), code });
    expect(formatKnowledge(again)).toBe(first);
    writeKnowledge(root, again);
    expect(readKnowledgeFiles(root)[0]?.knowledge).toEqual(again);
    const withOwn = await buildKnowledge({
      root,
      name: 'harbour',
      paths: [...paths, '.backstory/knowledge.json'],
      code,
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
    const { keyFiles } = await buildKnowledge({ root, name: 'harbour', paths, code });
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

  it('resolves imports in all supported languages', async () => {
    const users = ['one', 'two', 'three'];
    const cases: [string, (name: string) => [string, string], Record<string, string>][] = [
      ['app/core.py', (name) => [`app/${name}.py`, 'from app.core import x\n'], {}],
      ['src/core.rs', (name) => [`src/${name}.rs`, 'use crate::core::X;\n'], {}],
      [
        'core/core.go',
        (name) => [`${name}/${name}.go`, 'import "example.com/p/core"\n'],
        { 'go.mod': 'module example.com/p\n' },
      ],
      ['src/main/java/a/Core.java', (name) => [`src/main/java/a/b/${name}.java`, 'import a.Core;\n'], {}],
      ['src/core.h', (name) => [`src/${name}.c`, '#include "core.h"\n'], {}],
      ['lib/core.rb', (name) => [`lib/${name}.rb`, "require_relative 'core'\n"], {}],
      ['src/Core.php', (name) => [`src/${name}.php`, 'use App\\Core;\n'], {}],
    ];
    for (const [core, user, more] of cases) {
      const paths = write({ ...more, [core]: 'x', ...Object.fromEntries(users.map(user)) });
      const { keyFiles } = await buildKnowledge({ root, name: 'p', paths, code });
      expect(keyFiles.find(({ path }) => path === core)?.why, core).toContain('used by many files');
    }
  });

  it('extracts prose from documents and comments, without badges, licences and code', () => {
    expect(
      openingComment('// Copyright 2020 X\n// SPDX: MIT\n\n/*! Walks folders, quickly and in order. */\n'),
    ).toBe('Walks folders, quickly and in order.');
    expect(openingComment('// Package chi is a small router for building services.\npackage chi\n')).toBe(
      'Package chi is a small router for building services.',
    );
    expect(openingComment('#!/usr/bin/env python\n"""Reads packets that stations send."""\nimport x\n')).toBe(
      'Reads packets that stations send.',
    );
    expect(openingComment('const x = 1;\n')).toBe('');
    const [, section] = sectionsOf('Title\n=====\n\n```\n# no heading\n```\n- one `<tag>`\n- two\n\nprose\n');
    expect(section).toEqual({
      title: 'Title',
      level: 1,
      paragraphs: ['prose'],
      items: ['one `<tag>`', 'two'],
    });
  });
});
