import { list, text } from '../../base/json.ts';
import type { Link } from '../../domain/memory.ts';

/** Requires a known file extension, because a word with a dot in it is often the end of a sentence. */
const path =
  /(?<![\p{L}\p{N}_./@:-])(?:[\p{L}\p{N}_.@-]{1,80}\/){0,12}[\p{L}\p{N}_.@-]{1,80}\.(?:[cm]?[jt]sx?|json|md|py|go|rs|java|kt|rb|php|cs|cpp|cc|c|h|hpp|sql|sh|ya?ml|toml|css|html|vue|svelte|swift|proto|tf)\b/gu;
/** Issue references as written on GitHub, GitLab, Jira and Linear. */
const issue = /(?<![\p{L}\p{N}_&])(?:[\w.-]{1,60}\/[\w.-]{1,60})?#\d{1,7}\b|\b[A-Z][A-Z0-9]{1,9}-\d{1,6}\b/gu;
const maxLinks = 50;
const maxTargetLength = 500;

const linksTo = (relation: Link['relation'], targets: string[]): Link[] =>
  [...new Set(targets)].slice(0, maxLinks).map((target) => ({
    relation,
    target: target.trim().replace(/^\.\//, '').slice(0, maxTargetLength),
  }));

/** Finds the files and issues that a text mentions. */
export const linksIn = (text: string): Link[] => [
  ...linksTo('file', text.match(path) ?? []),
  ...linksTo('issue', text.match(issue) ?? []),
];

export const linksInTags = ({ files, concepts }: Record<string, unknown>): Link[] => [
  ...linksTo('file', texts(files)),
  ...linksTo('concept', texts(concepts)),
];

const texts = (given: unknown): string[] =>
  list(given)
    .map(text)
    .filter((each) => each.trim() !== '');
