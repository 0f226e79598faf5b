import type { Link } from '../../domain/memory.ts';

/** A path has a folder or a known ending; a bare word with a dot is as often the end of a sentence. */
const path =
  /(?<![\p{L}\p{N}_./@:-])(?:[\p{L}\p{N}_.@-]{1,80}\/){0,12}[\p{L}\p{N}_.@-]{1,80}\.(?:[cm]?[jt]sx?|json|md|py|go|rs|java|kt|rb|php|cs|cpp|cc|c|h|hpp|sql|sh|ya?ml|toml|css|html|vue|svelte|swift|proto|tf)\b/gu;
/** As GitHub, GitLab, Jira and Linear write them. */
const issue = /(?<![\p{L}\p{N}_&])(?:[\w.-]{1,60}\/[\w.-]{1,60})?#\d{1,7}\b|\b[A-Z][A-Z0-9]{1,9}-\d{1,6}\b/gu;
/** Most texts have neither, and looking for that is cheap. */
const mayHoldPath = /\.[a-z]/;
const mayHoldIssue = /#\d|[A-Z0-9]-\d/;
const maxLinks = 50;

/** What a text speaks of by name: files and issues. */
export function linksIn(text: string): Link[] {
  const named = (relation: Link['relation'], pattern: RegExp): Link[] =>
    [...new Set(text.match(pattern) ?? [])].slice(0, maxLinks).map((target) => ({
      relation,
      target: target.replace(/^\.\//, ''),
    }));
  return [
    ...(mayHoldPath.test(text) ? named('file', path) : []),
    ...(mayHoldIssue.test(text) ? named('issue', issue) : []),
  ];
}

const maxTargetLength = 500;

/** The files and concepts that a note names beside its text. */
export function linksInTags({ files, concepts }: Record<string, unknown>): Link[] {
  const named = (relation: Link['relation'], targets: unknown): Link[] =>
    (Array.isArray(targets) ? targets : [])
      .filter((target): target is string => typeof target === 'string' && target.trim() !== '')
      .slice(0, maxLinks)
      .map((target) => ({ relation, target: target.trim().replace(/^\.\//, '').slice(0, maxTargetLength) }));
  return [...named('file', files), ...named('concept', concepts)];
}
