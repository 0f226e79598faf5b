import { describe, expect, it } from 'vitest';
import type { Member, Role, Scope } from '../../domain/memory.ts';
import { checkPermission, forPeople, forReaders, forWriters, isPermitted } from './permissions.ts';

const all = (['user', 'device', 'webhook'] as const).flatMap((kind) =>
  (['owner', 'member', 'reader'] as const).flatMap((role: Role) =>
    ([['read', 'write'], ['read'], ['write'], []] as Scope[][]).map(
      (scopes): Member => ({ org: 'o', principal: 'p', person: 'p', kind, role, scopes }),
    ),
  ),
);
const nameOf = ({ kind, role, scopes }: Member): string => `${kind} ${role} ${scopes.join('+')}`;
const permitted = (permission: typeof forReaders): string[] =>
  all.filter((member) => isPermitted(member, permission)).map(nameOf);

describe('what a member of a project may do', () => {
  it('reading needs the scope read, and any role, of a person or a device', () => {
    expect(permitted(forReaders)).toEqual(
      ['user', 'device'].flatMap((kind) =>
        ['owner', 'member', 'reader'].flatMap((role) => [
          `${kind} ${role} read+write`,
          `${kind} ${role} read`,
        ]),
      ),
    );
  });

  it('writing needs the scope write, and at least the role member, of a person or a device', () => {
    const expected = (kind: string): string[] =>
      ['owner', 'member'].flatMap((role) => [`${kind} ${role} read+write`, `${kind} ${role} write`]);
    expect(permitted(forWriters)).toEqual([...expected('user'), ...expected('device')]);
    expect(permitted(forPeople)).toEqual(expected('user'));
  });

  it('is refused with the first reason: not a person, too low a role, or a missing scope', () => {
    const [user] = all as [Member];
    const refusal = (member: Partial<Member>): string => {
      try {
        checkPermission({ ...user, ...member }, forPeople);
        return '';
      } catch (error) {
        expect(error).toMatchObject({ code: 'FORBIDDEN' });
        return (error as Error).message;
      }
    };
    expect(refusal({})).toBe('');
    expect(refusal({ kind: 'device', role: 'reader', scopes: [] })).toContain('only a person');
    expect(refusal({ role: 'reader', scopes: [] })).toContain('the role member');
    expect(refusal({ scopes: ['read'] })).toContain('the scope write');
  });
});
