import { type Json, record, text, whole } from '../../base/json.ts';
import type { Link } from '../../domain/memory.ts';

export const isNamed = (repository: Json, issue: Json): boolean =>
  whole(repository.id) > 0 && whole(issue.number) > 0;

/** Issues and pull requests of a repository are numbered together. */
export const issueRef = (repository: Json, issue: Json): string =>
  `github:${whole(repository.id)}#${whole(issue.number)}`;

export const issueName = (repository: Json, issue: Json): string =>
  `${text(repository.full_name)}#${whole(issue.number)}`;

/** The two ways people refer to an issue: from outside its repository and within it. */
export const issueLinks = (repository: Json, issue: Json): Link[] => [
  { relation: 'issue', target: issueName(repository, issue) },
  { relation: 'issue', target: `#${whole(issue.number)}` },
];

/** The account that wrote something. GitHub Apps have the type Bot, and their logins end in "[bot]". */
export function authorTags(user: unknown): { author: string; isBot?: true } {
  const { login, type } = record(user);
  const author = text(login);
  return { author, ...(type === 'Bot' || author.endsWith('[bot]') ? { isBot: true } : {}) };
}
