import { memorySources } from '../../domain/memory.ts';
import { type Command, named, oneOf, orgOf, usageError } from './operator-commands.ts';

/** Sources that a policy without `--source` covers. Facts about the project do not go out of date with age. */
const defaultSources = memorySources.filter((source) => source !== 'knowledge');

/** Runs `retention PROJECT --source job --days 90`, `retention list` and `retention remove PROJECT`. */
export const retentionCommand: Command = async ({ operation }, words, options) => {
  const org = await orgOf(operation, options);
  const projects = await operation.projects(org);
  const isRemoving = words[0] === 'remove';
  const typed = isRemoving ? words[1] : words[0];
  if (typed === undefined || (typed === 'list' && words.length === 1)) {
    const policies = await operation.policies(org);
    const nameOf = new Map(projects.map(({ id, name }) => [id, name]));
    const text = policies.map(
      ({ project, source, keepDays, withPinned }) =>
        `${nameOf.get(project)}: ${source} for ${keepDays} days${withPinned ? ', pinned ones too' : ''}`,
    );
    return {
      value: { policies },
      text:
        text.join('\n') || 'There are no retention policies. Memories are kept until somebody removes them.',
    };
  }
  const project = named(projects, typed, 'project');
  const source = options.source === undefined ? undefined : oneOf(memorySources, options.source, '--source');
  if (isRemoving) {
    const { length: removed } = await operation.removeRetention(org, project, source);
    return {
      value: { project, source, removed },
      text: `No retention policy for ${source ?? 'any source'} in ${typed}. Memories are kept until somebody removes them.`,
    };
  }
  const keepDays = Number(options.days);
  if (!Number.isInteger(keepDays) || keepDays < 1)
    throw usageError('retention PROJECT --source job --days 90');
  const withPinned = options.pinned === true;
  const sources = source === undefined ? defaultSources : [source];
  for (const one of sources)
    await operation.setRetention(org, { project, source: one, keepDays, withPinned });
  return {
    value: { project, sources, keepDays, withPinned },
    text: `${sources.join(', ')} in ${typed}: removed ${keepDays} days after the last change${withPinned ? '' : ', unless pinned'}, whenever backstory team tend runs`,
  };
};
