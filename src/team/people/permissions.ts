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

export const isPermitted = (member: Member, { kinds, role, scope }: Permission): boolean =>
  kinds.includes(member.kind) &&
  roles.indexOf(member.role) <= roles.indexOf(role) &&
  member.scopes.includes(scope);

export function checkPermission(member: Member, { kinds, role, scope }: Permission): void {
  const forbidden = (message: string): AppError =>
    new AppError('FORBIDDEN', message, { hint: 'Ask an owner of the project' });
  if (!kinds.includes(member.kind)) throw forbidden('only a person can do this, not a device');
  if (roles.indexOf(member.role) > roles.indexOf(role)) throw forbidden(`this requires the role ${role}`);
  if (!member.scopes.includes(scope)) throw forbidden(`this token lacks the scope ${scope}`);
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
