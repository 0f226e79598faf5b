import { describe, expect, it } from 'vitest';
import { requirePerson } from './caller.ts';

describe('requirePerson', () => {
  it('lets a person through', () => {
    expect(() => requirePerson({ kind: 'person' }, 'Pinning a note')).not.toThrow();
  });

  it('refuses an agent and names it', () => {
    expect(() => requirePerson({ kind: 'agent', agent: 'codex' }, 'Pinning a note')).toThrow(
      'Pinning a note needs a person, but this command was started by an agent (codex).',
    );
  });

  it('refuses a caller that cannot be shown to be a person', () => {
    expect(() =>
      requirePerson({ kind: 'unproven', reason: 'there is no terminal' }, 'Pinning a note'),
    ).toThrow('Pinning a note needs a person, but there is no terminal.');
  });
});
