import { expect, it } from 'vitest';
import type { Knowledge } from '../domain/knowledge.ts';
import { partsOf } from './knowledge.ts';

const knowledge: Knowledge = {
  schema: 1,
  project: 'harbour',
  summary: 'Keeps invoices.',
  languages: [],
  commands: [],
  architecture: [
    { title: 'Folders', text: 'src holds it.', source: '' },
    { title: 'Folders', text: 'test proves it.', source: 'ARCHITECTURE.md' },
    { title: 'Empty', text: '', source: '' },
  ],
  keyFiles: [{ path: 'src/index.ts', why: 'entry point', symbols: [] }],
  conventions: [{ source: 'AGENTS.md', rules: ['Use tabs.'] }],
};

it('names each part of a knowledge file the same, whatever it says', () => {
  const refs = (given: Knowledge) => partsOf(given).map(({ ref }) => ref);
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
