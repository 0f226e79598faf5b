import { AppError } from '../../base/errors.ts';
import { type Member, type Role, roles, type Scope } from '../../domain/memory.ts';

/** Who may do something in a project. */
export interface Permission {
  kinds: readonly Member['kind'][];
  /** The least role; owners may do what members may, and members what readers may. */
  role: Role;
  scope: Scope;
}

export const forReaders: Permission = { kinds: ['user', 'device'], role: 'reader', scope: 'read' };
export const forWriters: Permission = { kinds: ['user', 'device'], role: 'member', scope: 'write' };
/** What nobody does for somebody else: no device may. */
export const forPeople: Permission = { kinds: ['user'], role: 'member', scope: 'write' };

export function checkPermission(member: Member, { kinds, role, scope }: Permission): void {
  const refuse = (what: string): AppError =>
    new AppError('FORBIDDEN', what, { hint: 'Ask an owner of the project' });
  if (!kinds.includes(member.kind)) throw refuse('this is for people, not for devices');
  if (roles.indexOf(member.role) > roles.indexOf(role)) throw refuse(`this takes the role ${role}`);
  if (!member.scopes.includes(scope))
    throw refuse(`this token was not made for it: it takes the scope ${scope}`);
}
