import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { createSandbox, type Sandbox } from '../support/sandbox.ts';

interface Audit {
  notes: number;
  duplicates: { keep: { id: string }; others: { id: string }[]; command: string }[];
  unused: unknown[];
}

let sandbox: Sandbox;
beforeAll(() => {
  sandbox = createSandbox(inject('installedPackage'));
  expect(sandbox.cli('install', 'claude-code').status).toBe(0);
});
afterAll(() => sandbox.remove());

it('[audit] doctor --notes lists duplicates, changes nothing, and proposes commands that resolve them', () => {
  const remember = (text: string) => sandbox.json<{ id: string }>('remember', text).id;
  const audit = () => sandbox.json<Audit>('doctor', '--notes');
  const first = remember('Wrap errors of the storage package.');
  const second = remember('wrap errors of the storage package!');
  // Shared words are no evidence that two notes say the same.
  remember('Never cache tokens of the queue in memory.');
  remember('Cache tokens of the queue in memory.');
  const before = sandbox.json<unknown>('show', first, second);
  const { duplicates } = audit();
  expect(duplicates.map(({ keep, others }) => [keep.id, ...others.map(({ id }) => id)].sort())).toEqual([
    [first, second].sort(),
  ]);
  expect(sandbox.json<unknown>('show', first, second)).toEqual(before);
  for (const { command } of duplicates) {
    const args = command.replace(/^backstory /, '').split(' ');
    expect(sandbox.cli(...args).status, command).toBe(0);
  }
  expect(audit()).toMatchObject({ duplicates: [], unused: [] });
});
