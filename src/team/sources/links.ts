import type { Link } from '../../domain/memory.ts';

/** Requires a known file extension, because a word with a dot in it is often the end of a sentence. */
const path =
  /(?<![\p{L}\p{N}_./@:-])(?:[\p{L}\p{N}_.@-]{1,80}\/){0,12}[\p{L}\p{N}_.@-]{1,80}\.(?:[cm]?[jt]sx?|json|md|py|go|rs|java|kt|rb|php|cs|cpp|cc|c|h|hpp|sql|sh|ya?ml|toml|css|html|vue|svelte|swift|proto|tf)\b/gu;
/** Issue references as written on GitHub, GitLab, Jira and Linear. */
const issue = /(?<![\p{L}\p{N}_&])(?:[\w.-]{1,60}\/[\w.-]{1,60})?#\d{1,7}\b|\b[A-Z][A-Z0-9]{1,9}-\d{1,6}\b/gu;
/** Cheap checks that skip the patterns above for most texts, which mention no file or issue. */
const mayHoldPath = /\.[a-z]/;
const mayHoldIssue = /#\d|[A-Z0-9]-\d/;
const maxLinks = 50;

/** Finds the files and issues that a text mentions. */
export function linksIn(text: string): Link[] {
  const linksTo = (relation: Link['relation'], pattern: RegExp): Link[] =>
    [...new Set(text.match(pattern) ?? [])].slice(0, maxLinks).map((target) => ({
      relation,
      target: target.replace(/^\.\//, ''),
    }));
  return [
    ...(mayHoldPath.test(text) ? linksTo('file', path) : []),
    ...(mayHoldIssue.test(text) ? linksTo('issue', issue) : []),
  ];
}

const maxTargetLength = 500;

/** Links to the files and concepts in a note's metadata. */
export function linksInTags({ files, concepts }: Record<string, unknown>): Link[] {
  const linksTo = (relation: Link['relation'], targets: unknown): Link[] =>
    (Array.isArray(targets) ? targets : [])
      .filter((target): target is string => typeof target === 'string' && target.trim() !== '')
      .slice(0, maxLinks)
      .map((target) => ({ relation, target: target.trim().replace(/^\.\//, '').slice(0, maxTargetLength) }));
  return [...linksTo('file', files), ...linksTo('concept', concepts)];
}
