import { AppError } from '../../base/errors.ts';
import {
  type Command,
  type CommandResult,
  named,
  orgOf,
  roleOf,
  usageError,
} from '../operate/operator-commands.ts';
import type { TeamOperation } from '../store/team-store.ts';
import { linkAccount } from './accounts.ts';
import { offboard } from './offboard.ts';

export const memberCommand: Command = async ({ operation }, [verb, name, to], options) => {
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
  if (verb === 'accounts') return listAccounts(operation, org);
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
    if (known?.isRemoved === true) await operation.restore(org, id);
    const becomesOwner = options.owner === true && known?.isOwner === false;
    if (becomesOwner) await operation.makeOwner(org, id);
    const role = roleOf(options.role);
    if (project !== undefined) await operation.setRole(org, project, id, role);
    const owns = becomesOwner ? ', now an owner of the organisation' : '';
    const where = project === undefined ? '' : `, ${role} of ${options.project}`;
    const account = await linkAccount(operation, org, id, options);
    return { value: { principal: id, project, role }, text: `${name} (${id})${owns}${where}${account}` };
  }
  if (verb === 'link' || verb === 'unlink') {
    const found = accountNamed(await operation.forgeAccounts(org), name);
    if (verb === 'unlink') {
      await operation.unlinkForge(org, found.account);
      return { value: found, text: `${found.account} is linked to nobody now` };
    }
    const person = principals.find(({ name: own, kind }) => own === to && kind === 'user');
    if (person === undefined || person.isRemoved) throw noSuchMember(to ?? '');
    await operation.linkForge(org, person.id, found);
    return {
      value: { ...found, person: person.name },
      text: `${found.account} (${found.name}) is ${person.name}. Laptops whose users trust ${person.name} are told its texts.`,
    };
  }
  if (verb !== 'remove') throw usageError('member add|remove|list|accounts|link|unlink');
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
  return offboard(operation, org, known, options);
};

type Accounts = Awaited<ReturnType<TeamOperation['forgeAccounts']>>;

async function listAccounts(operation: TeamOperation, org: string): Promise<CommandResult> {
  const accounts = await operation.forgeAccounts(org);
  const lines = accounts.map(
    ({ account, name, texts, person }) =>
      `${account}  ${name}, ${texts} texts${person ? `, is ${person}` : ''}`,
  );
  return { value: { accounts }, text: lines.join('\n') || 'No issue or comment of a tracker is stored yet' };
}

function accountNamed(accounts: Accounts, wanted: string): Accounts[number] {
  const found = accounts.filter(({ account, name }) => account === wanted || name === wanted);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  throw new AppError('NOT_FOUND', `there is no single account called "${wanted}"`, {
    hint: 'Give its id: backstory team member accounts',
  });
}

const noSuchMember = (name: string): AppError =>
  new AppError('NOT_FOUND', `no member is called ${name}`, { hint: 'backstory team member list' });
