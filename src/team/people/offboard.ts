import { AppError } from '../../base/errors.ts';
import { asked, type Done, named, type OperatorOptions, type OperatorParts } from '../operate/operate.ts';
import { countMentions, type Erasing, erasePerson } from './erase.ts';

/** A name shorter than this is part of too much else. */
const minNameLength = 2;

/**
 * What becomes of what somebody leaves behind. Shut out they are in any case, with every device and every session.
 * Alone: everything stays, under their name. With `--reassign`: the team's memories have another keeper, private ones
 * go, because nobody else may ever read them. With `--erase`: everything that is theirs goes, and their name with it.
 */
export async function offboard(
  { operation, people }: OperatorParts,
  org: string,
  person: { id: string; name: string },
  options: OperatorOptions,
): Promise<Done> {
  if (options.erase === true && options.reassign !== undefined)
    throw asked('member remove NAME --erase, or: member remove NAME --reassign OTHER');
  if (options.erase === true) return erase({ operation, people }, org, person, options);
  if (options.reassign === undefined) {
    await operation.disable(org, person.id);
    return {
      value: { principal: person.id, disabled: true },
      text: `${person.name} and every device of theirs can no longer come in. What they wrote stays; what they kept to themselves is read by nobody.`,
    };
  }
  const everybody = await operation.principals(org);
  const to = named(
    everybody.filter(({ kind }) => kind === 'user'),
    options.reassign,
    'person',
  );
  if (to === person.id || (await people.state(org, to)).isRemoved)
    throw new AppError('INVALID_ARGUMENT', `${options.reassign} cannot be the keeper`, {
      hint: 'Name somebody else who is still here: backstory team member list',
    });
  await operation.disable(org, person.id);
  const reassigned = await people.reassign(org, person.id, to);
  const removed = await people.removeBelongings(org, person.id, 'private');
  return {
    value: { principal: person.id, disabled: true, to, reassigned, removed },
    text: `${person.name} and every device of theirs can no longer come in. ${reassigned} memories are now kept by ${options.reassign}; ${removed} that only ${person.name} could read are gone.`,
  };
}

async function erase(
  { operation, people }: Pick<OperatorParts, 'operation' | 'people'>,
  org: string,
  person: { id: string; name: string },
  options: OperatorOptions,
): Promise<Done> {
  const { email } = await people.state(org, person.id);
  const names = [person.name, ...(email === null ? [] : [email]), ...(options.also ?? [])]
    .map((name) => name.trim())
    .filter(({ length }) => length >= minNameLength);
  if (names.length === 0)
    throw new AppError(
      'INVALID_ARGUMENT',
      `${person.name} is too short a name to be found in what others wrote`,
      {
        hint: 'Name them with --also, as in: --also "Ann Lee"',
      },
    );
  const keepMentions = options['keep-mentions'] === true;
  const erasing: Erasing = { operation, people, org, person: person.id, names, keepMentions };
  if (options.yes !== true) {
    const theirs = await people.belongings(org, person.id);
    let mentions = 0;
    if (!keepMentions)
      for (const { id } of await operation.projects(org)) mentions += await countMentions(erasing, id);
    return {
      value: { principal: person.id, erased: false, ...theirs, mentions, names },
      text: [
        `This would remove ${theirs.team + theirs.private} memories of ${person.name}, ${theirs.private} of them private, from here and with their next exchange from every laptop.`,
        keepMentions
          ? `What others wrote of ${person.name} would stay.`
          : `${mentions} memories hold the words ${names.join(', ')}, in large or small letters; where others wrote them, [erased] would stand in their place. --keep-mentions leaves those alone.`,
        'The log would keep an id without a name. Nothing has been done yet; there is no way back: add --yes.',
      ].join('\n'),
    };
  }
  const { removed, rewritten, left } = await erasePerson(erasing);
  return {
    value: { principal: person.id, erased: true, removed, rewritten, left },
    text: [
      `${removed} memories are gone, and in ${rewritten} of others the name. The log knows an id without a name.`,
      ...left.map(({ place, rows }) => `Still there: ${rows} rows of ${place}`),
      'Backups that were made before still hold it, and so does the disk until Postgres has vacuumed.',
    ].join('\n'),
  };
}
