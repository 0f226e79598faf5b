import { AppError } from '../../base/errors.ts';
import { type CommandResult, named, type OperatorOptions, usageError } from '../operate/operator-commands.ts';
import type { TeamOperation } from '../store/team-store.ts';
import { erasePerson } from './erase.ts';

/** Minimum length of a name to search for. Shorter names would match too many other words. */
const minNameLength = 2;

/**
 * Removes a person from the organisation. Their devices and browser sessions always lose access. Without options, all
 * their memories stay under their name. With `--reassign`, another member becomes the author of their team memories, and
 * their private memories are deleted because nobody else may ever read them. With `--erase`, all their memories are
 * deleted and their name is removed from everything else.
 */
export async function offboard(
  operation: TeamOperation,
  org: string,
  person: { id: string; name: string },
  options: OperatorOptions,
): Promise<CommandResult> {
  if (options.erase === true && options.reassign !== undefined)
    throw usageError('member remove NAME --erase, or: member remove NAME --reassign OTHER');
  if (options.erase === true) return erase(operation, org, person, options);
  if (options.reassign === undefined) {
    await operation.disable(org, person.id);
    return {
      value: { principal: person.id, disabled: true },
      text: `${person.name} and all their devices no longer have access. Their team memories stay. Nobody can read their private memories.`,
    };
  }
  const people = (await operation.principals(org)).filter(({ kind }) => kind === 'user');
  const to = named(people, options.reassign, 'person');
  if (to === person.id || people.some(({ id, isRemoved }) => id === to && isRemoved))
    throw new AppError('INVALID_ARGUMENT', `memories cannot be reassigned to ${options.reassign}`, {
      hint: 'Name another active member: backstory team member list',
    });
  await operation.disable(org, person.id);
  const reassigned = await operation.reassign(org, person.id, to);
  const removed = await operation.removeBelongings(org, person.id, 'private');
  return {
    value: { principal: person.id, disabled: true, to, reassigned, removed },
    text: `${person.name} and all their devices no longer have access. Reassigned ${reassigned} memories to ${options.reassign} and deleted ${removed} private ones.`,
  };
}

async function erase(
  operation: TeamOperation,
  org: string,
  person: { id: string; name: string },
  options: OperatorOptions,
): Promise<CommandResult> {
  const email = await operation.emailOf(org, person.id);
  const names = [person.name, email ?? '', ...(options.also ?? [])]
    .map((name) => name.trim())
    .filter(({ length }) => length >= minNameLength);
  if (names.length === 0)
    throw new AppError(
      'INVALID_ARGUMENT',
      `the name ${person.name} is too short to search for in other memories`,
      { hint: 'Give another name of this person, for example: --also "Ann Lee"' },
    );
  const keepMentions = options['keep-mentions'] === true;
  if (options.yes !== true) {
    const { mentions: found, ...belongings } = await operation.belongings(org, person.id, names);
    const mentions = keepMentions ? 0 : found;
    return {
      value: { principal: person.id, erased: false, ...belongings, mentions, names },
      text: [
        `This would delete ${belongings.team + belongings.private} memories of ${person.name}, ${belongings.private} of them private, from the server and, at the next sync, from every laptop.`,
        keepMentions
          ? `Memories of other people that mention ${person.name} would stay unchanged.`
          : `${mentions} memories contain ${names.join(', ')} (in any case). In memories of other people, the name would be replaced with [erased]. To leave those unchanged, add --keep-mentions.`,
        'The audit log would keep an id without a name. Nothing has been changed yet. This cannot be undone: to go ahead, add --yes.',
      ].join('\n'),
    };
  }
  const { removed, rewritten, left } = await erasePerson({
    operation,
    org,
    person: person.id,
    names,
    keepMentions,
  });
  return {
    value: { principal: person.id, erased: true, removed, rewritten, left },
    text: [
      `Deleted ${removed} memories and removed the name from ${rewritten} memories of other people. The audit log keeps an id without a name.`,
      ...left.map(({ place, rows }) => `Name still found: ${rows} rows of ${place}`),
      'Earlier backups still contain the data, and so does the disk until Postgres vacuums.',
    ].join('\n'),
  };
}
