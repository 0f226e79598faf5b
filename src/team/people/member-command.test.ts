import { describe, expect, it } from 'vitest';
import { aTeamInMemory, principal } from '../../../test/support/team-in-memory.ts';
import type { OperatorOptions } from '../operate/operator-commands.ts';
import { memberCommand } from './member-command.ts';

const [ann, ben, ola] = [
  principal('Ann'),
  principal('Ben', { isRemoved: true }),
  principal('Ola', { isOwner: true }),
];
const laptop = principal('laptop', { kind: 'device' });
const annsDevice = principal('Cal', { kind: 'device', id: 'device' });
const accounts = [
  { account: 'github:1', name: 'ann-g', texts: 7, person: null },
  { account: 'github:2', name: 'twin', texts: 2, person: 'Ola' },
  { account: 'gitlab:2', name: 'twin', texts: 1, person: null },
] as unknown as NonNullable<Parameters<typeof aTeamInMemory>[0]['accounts']>;

function aTeam(more: Parameters<typeof aTeamInMemory>[0] = {}) {
  const team = aTeamInMemory({ people: [ann, ben, ola, laptop, annsDevice], accounts, ...more });
  const member = (words: string[], options: OperatorOptions = {}) =>
    memberCommand({ operation: team.operation, now: 0 }, words, options);
  return { ...team, member };
}

describe('member list', () => {
  it('lists people and devices, says who was removed, and is the default', async () => {
    const { member, done } = aTeam();
    const listed = await member(['list']);
    expect(listed.text.split('\n')).toEqual([
      'id of Ann  user    Ann',
      'id of Ben  user    Ben, removed',
      'id of Ola  user    Ola',
      'id of laptop  device  laptop',
      'device  device  Cal',
    ]);
    expect(await member([])).toEqual(listed);
    expect(done).toEqual([]);
  });
});

describe('member add', () => {
  it('creates a person, as a member of the organisation unless --owner is given', async () => {
    const { member, done } = aTeam();
    expect(await member(['add', 'Eve'])).toMatchObject({
      value: { principal: 'id of Eve', role: 'member' },
      text: 'Eve (id of Eve)',
    });
    expect((await member(['add', 'Eli'], { owner: true })).text).toBe('Eli (id of Eli)');
    expect(done).toEqual([
      ['create', 'Eve', 'member'],
      ['create', 'Eli', 'owner'],
    ]);
  });

  it('gives a known person a role in a project, by name or id', async () => {
    const { member, done } = aTeam();
    const { text } = await member(['add', 'Ann'], { project: 'main', role: 'reader' });
    expect(text).toBe('Ann (id of Ann), reader of main');
    await member(['add', 'id of Ann'], { project: 'other' });
    expect(done).toEqual([
      ['role', 'id of main', 'id of Ann', 'reader'],
      ['role', 'id of other', 'id of Ann', 'member'],
    ]);
  });

  it('does not take a device for a person of the same name', async () => {
    const { member, done } = aTeam();
    await member(['add', 'Cal']);
    expect(done).toEqual([['create', 'Cal', 'member']]);
  });

  it('lets a removed person in again, and nobody else', async () => {
    const { member, done } = aTeam();
    await member(['add', 'Ben']);
    await member(['add', 'Ann']);
    expect(done).toEqual([['restore', 'id of Ben']]);
  });

  it('makes a member an owner only with --owner, and says so only if they were none', async () => {
    const { member, done } = aTeam();
    expect((await member(['add', 'Ann'])).text).toBe('Ann (id of Ann)');
    expect((await member(['add', 'Ola'], { owner: true })).text).toBe('Ola (id of Ola)');
    expect(done).toEqual([]);
    expect((await member(['add', 'Ann'], { owner: true })).text).toContain(
      'now an owner of the organisation',
    );
    expect(done).toEqual([['make owner', 'id of Ann']]);
  });

  it('links an account: an address, or an issuer with a subject', async () => {
    const { member, done } = aTeam();
    expect((await member(['add', 'Ann'], { email: ' Ann@Example.org ' })).text).toBe(
      'Ann (id of Ann), signs in as ann@example.org',
    );
    expect((await member(['add', 'Ann'], { issuer: 'https://i', subject: 's1' })).text).toContain(
      'signs in as s1',
    );
    expect(done).toEqual([
      ['link', 'id of Ann', { email: 'ann@example.org' }],
      ['link', 'id of Ann', { issuer: 'https://i', subject: 's1' }],
    ]);
  });

  it('links nothing if the account is incomplete, ambiguous or not an address', async () => {
    const { member, done } = aTeam();
    for (const options of [
      { issuer: 'https://i' },
      { subject: 's1' },
      { issuer: 'https://i', subject: 's1', email: 'ann@example.org' },
      { issuer: 'https://i', email: 'ann@example.org' },
      { email: 'ann' },
      { email: 'a b@example.org' },
    ])
      await expect(member(['add', 'Ann'], options)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(done).toEqual([]);
  });

  it('needs a name and a known project', async () => {
    const { member, done } = aTeam();
    await expect(member(['add'])).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(member(['add', 'Eve'], { project: 'nowhere' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(member(['rename', 'Ann'])).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(done).toEqual([]);
  });
});

describe('accounts of trackers', () => {
  it('are listed with their texts and the person they are linked to', async () => {
    const { text, value } = await aTeam().member(['accounts']);
    expect(text.split('\n')).toEqual([
      'github:1  ann-g, 7 texts',
      'github:2  twin, 2 texts, is Ola',
      'gitlab:2  twin, 1 texts',
    ]);
    expect(value).toEqual({ accounts });
    expect((await aTeam({ accounts: [] }).member(['accounts'])).text).toContain('No issue or comment');
  });

  it('are linked to a person and unlinked, by a name that only one has, or by id', async () => {
    const { member, done } = aTeam();
    expect((await member(['link', 'ann-g', 'Ann'])).text).toContain('github:1 (ann-g) is Ann');
    await member(['link', 'gitlab:2', 'Ola']);
    expect((await member(['unlink', 'github:2'])).text).toContain('github:2');
    expect(done).toEqual([
      ['link forge', 'github:1', 'id of Ann'],
      ['link forge', 'gitlab:2', 'id of Ola'],
      ['unlink forge', 'github:2'],
    ]);
  });

  it('are not linked if the account is ambiguous or unknown, or the person is none of the organisation', async () => {
    const { member, done } = aTeam();
    for (const [account, person] of [
      ['twin', 'Ann'],
      ['nobody', 'Ann'],
      ['ann-g', 'Ben'],
      ['ann-g', 'laptop'],
      ['ann-g', 'Zoe'],
    ] as const)
      await expect(member(['link', account, person])).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(member(['link', 'ann-g'])).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(member(['unlink', 'twin'])).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(done).toEqual([]);
  });
});

describe('member remove', () => {
  it('from one project takes only the role there', async () => {
    const { member, done } = aTeam();
    expect(await member(['remove', 'Ann'], { project: 'main' })).toEqual({
      value: { principal: 'id of Ann', project: 'id of main' },
      text: 'Ann is no longer a member of main',
    });
    expect(done).toEqual([['role', 'id of main', 'id of Ann', undefined]]);
  });

  it('says of an owner of the organisation that they keep access to the project', async () => {
    expect((await aTeam().member(['remove', 'Ola'], { project: 'main' })).text).toContain(
      'keeps access to main',
    );
  });

  it('erases and reassigns only for the whole organisation, and not both', async () => {
    const { member, done } = aTeam();
    for (const options of [
      { project: 'main', erase: true },
      { project: 'main', reassign: 'Ola' },
      { erase: true, reassign: 'Ola' },
    ])
      await expect(member(['remove', 'Ann'], options)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(member(['remove', 'Zoe'])).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(done).toEqual([]);
  });

  it('ends all access, and leaves the memories without another option', async () => {
    const { member, done } = aTeam();
    const { value } = await member(['remove', 'Ann']);
    expect(value).toEqual({ principal: 'id of Ann', disabled: true });
    expect(done).toEqual([['disable', 'id of Ann']]);
  });

  it('with --reassign ends access first, gives the team’s memories away and deletes the private ones', async () => {
    const { member, done } = aTeam();
    const { value } = await member(['remove', 'Ann'], { reassign: 'Ola' });
    expect(value).toEqual({
      principal: 'id of Ann',
      disabled: true,
      to: 'id of Ola',
      reassigned: 3,
      removed: 2,
    });
    expect(done).toEqual([
      ['disable', 'id of Ann'],
      ['reassign', 'id of Ann', 'id of Ola'],
      ['remove', 'private', 'id of Ann'],
    ]);
  });

  it('reassigns to nobody but another active person', async () => {
    const { member, done } = aTeam();
    for (const to of ['Ann', 'Ben', 'laptop', 'Zoe'])
      await expect(member(['remove', 'Ann'], { reassign: to })).rejects.toThrow();
    expect(done).toEqual([]);
  });

  it('with --erase only counts at first, and changes nothing without --yes', async () => {
    const memories = ['by Ann', 'ask ANN', 'by al'].map((text, at) => ({
      documentId: `m${at}`,
      text,
      author: null,
    }));
    const { member, done } = aTeam({ memories, emails: { 'id of Ann': 'ann@example.org' } });
    const preview = await member(['remove', 'Ann'], { erase: true, also: [' A ', 'al'] });
    expect(preview.value).toEqual({
      principal: 'id of Ann',
      erased: false,
      team: 4,
      private: 1,
      mentions: 3,
      names: ['Ann', 'ann@example.org', 'al'],
    });
    expect(preview.text).toContain('delete 5 memories of Ann, 1 of them private');
    expect(preview.text).toContain('3 memories contain Ann, ann@example.org, al');
    const keeping = await member(['remove', 'Ann'], { erase: true, 'keep-mentions': true });
    expect(keeping.value).toMatchObject({ mentions: 0 });
    expect(keeping.text).toContain('would stay unchanged');
    expect(done).toEqual([]);
  });

  it('with --erase --yes erases the person and reports where a name is left', async () => {
    const memories = [
      { documentId: 'm1', text: 'Ask Ann.', author: 'id of Ola' },
      { documentId: 'm2', text: 'Annex', author: null },
    ];
    const { member, done } = aTeam({ memories });
    const { value, text } = await member(['remove', 'Ann'], { erase: true, yes: true });
    expect(value).toMatchObject({ erased: true, removed: 2, rewritten: 2 });
    expect(text).toContain('Name still found: 1 rows of memory.text');
    expect(memories.map((memory) => memory.text)).toEqual(['Ask [erased].', 'Annex']);
    expect(done.at(-1)).toEqual(['anonymise', 'id of Ann', ['Ann']]);
    const kept = aTeam({ memories: [{ documentId: 'm1', text: 'Ask Ann.', author: null }] });
    await kept.member(['remove', 'Ann'], { erase: true, yes: true, 'keep-mentions': true });
    expect(kept.memories[0]?.text).toBe('Ask Ann.');
  });

  it('does not search for a name of one letter', async () => {
    const { member, done } = aTeam({ people: [principal('A')] });
    const erase = (also: string[]) => member(['remove', 'A'], { erase: true, yes: true, also });
    await expect(erase(['B', ' '])).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(done).toEqual([]);
    await erase(['Al']);
    expect(done.at(-1)).toEqual(['anonymise', 'id of A', ['Al']]);
  });
});
