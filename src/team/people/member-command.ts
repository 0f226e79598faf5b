import { AppError } from '../../base/errors.ts';
import { type Command, named, orgOf, roleOf, usageError } from '../operate/operator-commands.ts';
import { linkAccount } from './accounts.ts';
import { offboard } from './offboard.ts';

/** Runs `member list`, `member add` and `member remove`. */
export const memberCommand: Command = async (parts, [verb, name], options) => {
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
  if (name === undefined) throw usageError('member add NAME --project PROJECT --role member');
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
    const owns = becomesOwner ? ', now an owner of the organisation' : '';
    const where = project === undefined ? '' : `, ${role} of ${options.project}`;
    const account = await linkAccount(people, org, id, options);
    return { value: { principal: id, project, role }, text: `${name} (${id})${owns}${where}${account}` };
  }
  if (verb !== 'remove') throw usageError('member add|remove|list');
  if (known === undefined) throw noSuchMember(name);
  if (project !== undefined) {
    if (options.erase === true || options.reassign !== undefined)
      throw usageError('member remove NAME --erase (or --reassign OTHER), without --project');
    await operation.setRole(org, project, known.id, undefined);
    return {
      value: { principal: known.id, project },
      text: known.isOwner
        ? `${name} owns the organisation and therefore keeps access to ${options.project}. To remove them from the organisation: backstory team member remove ${name}`
        : `${name} is no longer a member of ${options.project}`,
    };
  }
  return offboard(parts, org, known, options);
};

const noSuchMember = (name: string): AppError =>
  new AppError('NOT_FOUND', `no member is called ${name}`, { hint: 'backstory team member list' });
