import { AppError } from '../../base/errors.ts';
import {
  asked,
  type Done,
  named,
  type OperatorOptions,
  type OperatorParts,
  orgOf,
  roleOf,
} from '../operate/operate.ts';
import { linkAccount } from './accounts.ts';
import { offboard } from './offboard.ts';

/** People as they come and go. */
export async function memberCommand(
  parts: OperatorParts,
  [verb, name]: string[],
  options: OperatorOptions,
): Promise<Done> {
  const { operation, people } = parts;
  const org = await orgOf(operation, options);
  const principals = await operation.principals(org);
  if (verb === undefined || verb === 'list') {
    return {
      value: { principals },
      text: principals
        .map(
          ({ id, name: own, kind, isRemoved }) =>
            `${id}  ${kind.padEnd(6)}  ${own}${isRemoved ? ', removed' : ''}`,
        )
        .join('\n'),
    };
  }
  if (name === undefined) throw asked('member add NAME --project PROJECT --role member');
  const known = principals.find(
    ({ id, name: own, kind }) => id === name || (own === name && kind === 'user'),
  );
  const project =
    options.project === undefined
      ? undefined
      : named(await operation.projects(org), options.project, 'project');
  if (verb === 'add') {
    const id =
      known?.id ??
      (await operation.createPrincipal(org, { name, orgRole: options.owner === true ? 'owner' : 'member' }));
    if (known?.isRemoved === true) await people.restore(org, id);
    const becomesOwner = options.owner === true && known?.isOwner === false;
    if (becomesOwner) await operation.makeOwner(org, id);
    const role = roleOf(options.role);
    if (project !== undefined) await operation.setRole(org, project, id, role);
    const owns = becomesOwner ? ', owner of the organisation from now on' : '';
    const where = project === undefined ? '' : `, ${role} of ${options.project}`;
    const account = await linkAccount(people, org, id, options);
    return { value: { principal: id, project, role }, text: `${name} (${id})${owns}${where}${account}` };
  }
  if (verb !== 'remove') throw asked('member add|remove|list');
  if (known === undefined) throw nobody(name);
  if (project !== undefined) {
    if (options.erase === true || options.reassign !== undefined)
      throw asked('member remove NAME --erase (or --reassign OTHER) is for everything, without --project');
    await operation.setRole(org, project, known.id, undefined);
    return {
      value: { principal: known.id, project },
      text: known.isOwner
        ? `${name} owns the organisation and so stays in ${options.project}, with no role of their own there. Out of everything: backstory team member remove ${name}`
        : `${name} is no longer in ${options.project}`,
    };
  }
  return offboard(parts, org, known, options);
}

const nobody = (name: string): AppError =>
  new AppError('NOT_FOUND', `there is nobody called ${name}`, { hint: 'backstory team member list' });
