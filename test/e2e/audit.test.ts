import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createSandbox, type Sandbox } from '../support/sandbox.ts';

interface Audit {
  store: string;
  notes: number;
  duplicates: { keep: { id: string }; others: { id: string }[]; command: string }[];
  changes: { keep: { id: string }; others: { id: string }[]; command: string }[];
  unused: unknown[];
}

describe('backstory audit', () => {
  let sandbox: Sandbox;
  beforeAll(() => {
    sandbox = createSandbox(inject('installedPackage'));
    expect(sandbox.cli('init').status).toBe(0);
  });
  afterAll(() => sandbox.remove());
  const remember = (text: string) =>
    sandbox.json<{ id: string }>('remember', text, '--kind', 'convention').id;

  it('[audit] lists duplicates and changes, changes nothing, and proposes commands that resolve them', () => {
    expect(sandbox.json<Audit>('audit')).toMatchObject({ store: 'home', duplicates: [], changes: [] });
    const first = remember('Wrap errors of the storage package.');
    const second = remember('wrap errors of the storage package');
    const lease = remember('The lease of the queue is 30 seconds.');
    const longer = remember('The lease of the queue is 2 minutes.');
    // Shared words alone are no evidence that one changes the other.
    remember('Never cache tokens of the queue in memory.');
    remember('Cache tokens of the queue in memory.');
    const before = sandbox.json<unknown>('show', first, second, lease, longer);
    const found = sandbox.json<Audit>('audit');
    const pairs = [...found.duplicates, ...found.changes].map(({ keep, others }) =>
      [keep.id, ...others.map(({ id }) => id)].sort(),
    );
    expect(pairs).toEqual([[first, second].sort(), [lease, longer].sort()]);
    expect(sandbox.json<unknown>('show', first, second, lease, longer)).toEqual(before);
    for (const { command } of [...found.duplicates, ...found.changes]) {
      const args = command.replace(/^backstory /, '').split(' ');
      expect(sandbox.cli(...args).status, command).toBe(0);
    }
    expect(sandbox.json<Audit>('audit')).toMatchObject({ duplicates: [], changes: [], unused: [] });
    expect(sandbox.cli('audit', '--team').stderr).toContain('has not joined a team');
  });
});
