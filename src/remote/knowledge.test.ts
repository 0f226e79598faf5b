import { expect, it } from 'vitest';
import type { Knowledge } from '../domain/knowledge.ts';
import { partsOf } from './knowledge.ts';

const knowledge: Knowledge = {
  schema: 1,
  project: 'harbour',
  summary: 'Keeps invoices.',
  commands: [],
  architecture: [
    { title: 'Folders', text: 'src holds it.', source: '' },
    { title: 'Folders', text: 'test proves it.', source: 'ARCHITECTURE.md' },
    { title: 'Empty', text: '', source: '' },
  ],
  keyFiles: [{ path: 'src/index.ts', why: 'entry point', symbols: [] }],
  conventions: [{ source: 'AGENTS.md', rules: ['Use tabs.'] }],
};

it('gives every part a unique name, even with equal headings', () => {
  const architecture = ['Setup', 'Setup', 'Setup 2'].map((title) => ({ title, text: title, source: '' }));
  const refs = partsOf({ ...knowledge, architecture }).map(({ ref }) => ref);
  expect(new Set(refs).size).toBe(refs.length);
  expect(refs).toContain('architecture Setup 2 2');
});

it('derives the names of parts from their headings, not from their text', () => {
  const refs = (of: Knowledge) => partsOf(of).map(({ ref }) => ref);
  expect(refs(knowledge)).toEqual([
    'summary',
    'architecture Folders',
    'architecture Folders 2',
    'architecture Empty',
    'key files',
    'conventions AGENTS.md',
  ]);
  expect(refs({ ...knowledge, summary: 'Keeps cranes.' })).toEqual(refs(knowledge));
  expect(partsOf(knowledge)[4]).toMatchObject({ title: 'Key files', files: ['src/index.ts'] });
});
