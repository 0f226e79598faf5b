import { describe, expect, it } from 'vitest';
import { aTeamInMemory } from '../../../test/support/team-in-memory.ts';
import type { OperatorOptions } from '../operate/operator-commands.ts';
import { domainCommand } from './accounts.ts';

function aTeam() {
  const { operation, domains } = aTeamInMemory({});
  const domain = (words: string[], options: OperatorOptions = {}) =>
    domainCommand({ operation, now: 0 }, words, options);
  return { domain, domains };
}

describe('domains whose people can sign in', () => {
  it('give a role in one project, or none, and are listed', async () => {
    const { domain, domains } = aTeam();
    expect((await domain([])).text).toContain('Only people added');
    expect((await domain(['add', ' @Example.org '])).text).toContain(
      'example.org can sign in, without access',
    );
    const { text } = await domain(['add', 'sub.acme.com'], { project: 'main', role: 'member' });
    expect(text).toContain('sub.acme.com can sign in, as member of id of main');
    await domain(['add', 'third.org'], { project: 'other' });
    expect(domains).toEqual([
      { domain: 'example.org', project: null, role: 'reader' },
      { domain: 'sub.acme.com', project: 'id of main', role: 'member' },
      { domain: 'third.org', project: 'id of other', role: 'reader' },
    ]);
    const listed = await domain(['list']);
    expect(listed.value).toEqual({ domains });
    expect(listed.text.split('\n')).toHaveLength(3);
    expect((await domain([])).text).toBe(listed.text);
  });

  it('are removed for people who have not signed in yet', async () => {
    const { domain, domains } = aTeam();
    await domain(['add', 'example.org']);
    expect((await domain(['remove', 'other.org'])).value).toEqual({ domain: 'other.org', removed: 0 });
    expect((await domain(['remove', 'EXAMPLE.org'])).value).toEqual({ domain: 'example.org', removed: 1 });
    expect(domains).toEqual([]);
  });

  it('are neither added nor removed if the name is no domain, or the command is unknown', async () => {
    const { domain, domains } = aTeam();
    for (const words of [
      ['add'],
      ['remove'],
      ['add', 'localhost'],
      ['add', 'a b.org'],
      ['drop', 'example.org'],
    ])
      await expect(domain(words)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(domains).toEqual([]);
  });
});
