import { AppError } from '../../base/errors.ts';
import { scopes as allScopes, type Role, roles, type Scope } from '../../domain/memory.ts';
import { hashOfToken, makeToken } from '../people/token.ts';
import type { Named, TeamOperation } from '../store/team-store.ts';
import type { TeamOptions } from './options.ts';

export interface OperatorOptions extends TeamOptions {
  /** A given webhook secret, read from stdin, because other users can see command lines. */
  secret?: string | undefined;
}

export interface CommandResult {
  value: unknown;
  text: string;
}

export interface OperatorParts {
  operation: TeamOperation;
  now: number;
}

export type Command = (
  parts: OperatorParts,
  words: string[],
  options: OperatorOptions,
) => Promise<CommandResult>;

export const initTeam: Command = async (
  parts,
  [name = 'team', person = 'owner', project = 'main'],
  options,
) => {
  const { operation } = parts;
  const org = await operation.createOrg(name);
  const projectId = await operation.createProject(org, project, options.id);
  const principal = await operation.createPrincipal(org, { name: person, orgRole: 'owner' });
  await operation.setRole(org, projectId, principal, 'owner');
  const token = await giveToken(parts, org, principal, { ...options, scopes: allScopes.join(',') });
  return {
    value: { org, project: projectId, principal, token },
    text: [
      `Organisation ${name} (${org})`,
      `Project ${project} (${projectId})`,
      `Owner ${person}`,
      `Token (shown only once) ${token}`,
      '',
      `Try it: curl -H 'Authorization: Bearer ${token}' http://127.0.0.1:7420/api/v1/projects`,
    ].join('\n'),
  };
};

export const projectCommand: Command = async ({ operation }, [verb, name], options) => {
  const org = await orgOf(operation, options);
  if (verb === 'add' && name !== undefined) {
    const id = await operation.createProject(org, name, options.id);
    return { value: { org, project: id, name }, text: `Project ${name} (${id})` };
  }
  if (verb !== undefined && verb !== 'list') throw usageError('project add NAME, or: project list');
  const all = await operation.projects(org);
  return { value: { projects: all }, text: all.map(({ id, name: own }) => `${id}  ${own}`).join('\n') };
};

export const tokenCommand: Command = async (parts, [verb, name], options) => {
  const { operation } = parts;
  const org = await orgOf(operation, options);
  if ((verb !== 'create' && verb !== 'revoke') || name === undefined)
    throw usageError('token create NAME, or: token revoke NAME');
  const principal = named(await operation.principals(org), name, 'person or device');
  if (verb === 'revoke') {
    const revoked = await operation.revokeTokens(org, principal);
    return { value: { principal, revoked }, text: `Revoked ${revoked} tokens of ${name}` };
  }
  const owner =
    options.device === undefined ? principal : await operation.createDevice(org, principal, options.device);
  const token = await giveToken(parts, org, owner, options);
  return { value: { principal: owner, token }, text: `Token (shown only once) ${token}` };
};

async function giveToken(
  { operation, now }: OperatorParts,
  org: string,
  principal: string,
  options: OperatorOptions,
): Promise<string> {
  const token = makeToken();
  const days = options.days === undefined ? undefined : Number(options.days);
  if (days !== undefined && !(days > 0)) throw usageError('--days takes a number');
  await operation.createToken(org, principal, {
    hash: hashOfToken(token),
    scopes: scopesOf(options.scopes),
    expires: days === undefined ? undefined : new Date(now + days * 86_400_000).toISOString(),
  });
  return token;
}

export async function orgOf(operation: TeamOperation, { org }: OperatorOptions): Promise<string> {
  const all = await operation.orgs();
  const [only] = all;
  if (org === undefined && all.length === 1 && only !== undefined) return only.id;
  if (org === undefined && all.length === 0)
    throw new AppError('NOT_FOUND', 'there is no organisation yet', { hint: 'backstory team init NAME' });
  return named(all, org ?? '', 'organisation');
}

export function named(all: Named[], wanted: string, what: string): string {
  const found = all.filter(({ id, name }) => id === wanted || name === wanted);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.id;
  throw new AppError('NOT_FOUND', `there is no single ${what} called "${wanted}"`, {
    hint: `Give the name or id of one of these: ${all.map(({ name }) => name).join(', ')}`,
  });
}

export const roleOf = (text = 'member'): Role => oneOf(roles, text, '--role');

const scopesOf = (text = 'read,write'): Scope[] =>
  text.split(',').map((part) => oneOf(allScopes, part.trim(), '--scopes'));

export function oneOf<Value extends string>(values: readonly Value[], text: string, option: string): Value {
  const value = values.find((one) => one === text);
  if (value === undefined) throw usageError(`${option} takes ${values.join(', ')}`);
  return value;
}

export const usageError = (hint: string): AppError =>
  new AppError('INVALID_ARGUMENT', 'invalid arguments', {
    hint: hint.startsWith('--') ? hint : `backstory team ${hint}`,
  });
