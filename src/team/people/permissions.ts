import { AppError } from '../../base/errors.ts';
import { type Member, type Role, roles, type Scope } from '../../domain/memory.ts';

/** What a caller needs in order to do something in a project. */
export interface Permission {
  kinds: readonly Member['kind'][];
  /** Minimum role. Owners can do what members can, and members what readers can. */
  role: Role;
  scope: Scope;
}

export const forReaders: Permission = { kinds: ['user', 'device'], role: 'reader', scope: 'read' };
export const forWriters: Permission = { kinds: ['user', 'device'], role: 'member', scope: 'write' };
/**
 * The permission for actions that a person must take themselves, such as starting a reindex. Tokens of devices are
 * refused.
 */
export const forPeople: Permission = { kinds: ['user'], role: 'member', scope: 'write' };

/** Why the member may not do it; undefined if they may. */
function refusalOf(member: Member, { kinds, role, scope }: Permission): string | undefined {
  if (!kinds.includes(member.kind)) return 'only a person can do this, not a device';
  if (roles.indexOf(member.role) > roles.indexOf(role)) return `this requires the role ${role}`;
  return member.scopes.includes(scope) ? undefined : `this token lacks the scope ${scope}`;
}

export const isPermitted = (member: Member, permission: Permission): boolean =>
  refusalOf(member, permission) === undefined;

export function checkPermission(member: Member, permission: Permission): void {
  const refusal = refusalOf(member, permission);
  if (refusal !== undefined)
    throw new AppError('FORBIDDEN', refusal, { hint: 'Ask an owner of the project' });
}

export const invalidToken = (): AppError =>
  new AppError('UNAUTHORIZED', 'invalid token', {
    hint: 'Send your token in the header Authorization: Bearer TOKEN',
  });

/** A missing object and one of another tenant give the same error, so that nobody learns which one it is. */
export const notFound = (): AppError =>
  new AppError('NOT_FOUND', 'not found, or you do not have access', {
    hint: 'GET /api/v1/projects lists the projects you can access',
  });
