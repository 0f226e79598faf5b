import { type Json, list, record, text, whole } from '../../base/json.ts';
import type { Link } from '../../domain/memory.ts';
import type { SourceChange } from '../../domain/source-change.ts';

/**
 * Reads GitHub's `issues`, `issue_comment` and `pull_request` events; returns undefined for all others. References use
 * the numeric ids of repository, issue and comment, which survive renames. The event name header is not signed, so a
 * payload with a comment is always treated as a comment: a replayed deletion of a comment cannot delete its issue.
 */
export function changeFromGitHub(event: string, payload: Json): SourceChange | undefined {
  const action = text(payload.action);
  const repository = record(payload.repository);
  if (payload.comment !== undefined)
    return commentChange(action, repository, record(payload.issue), record(payload.comment));
  if (event === 'issues') return issueChange(action, repository, record(payload.issue), 'issue');
  if (event === 'pull_request')
    return issueChange(action, repository, record(payload.pull_request), 'pull request');
  return undefined;
}

function issueChange(
  action: string,
  repository: Json,
  issue: Json,
  kind: 'issue' | 'pull request',
): SourceChange | undefined {
  const at = Date.parse(text(issue.updated_at));
  if (!isNamed(repository, issue) || Number.isNaN(at)) return undefined;
  const changed = { source: 'issue' as const, sourceRef: issueRef(repository, issue), at };
  // A transferred issue no longer belongs to this project.
  if (action === 'deleted' || action === 'transferred') return { ...changed, change: 'deleted' };
  return {
    ...changed,
    change: 'saved',
    isFirst: action === 'opened',
    text: [text(issue.title), text(issue.body)].filter((part) => part !== '').join('\n\n'),
    metadata: {
      kind,
      title: text(issue.title),
      status: text(issue.state),
      labels: list(issue.labels).map((label) => text(record(label).name)),
      author: text(record(issue.user).login),
      url: text(issue.html_url),
    },
    links: issueLinks(repository, issue),
  };
}

function commentChange(
  action: string,
  repository: Json,
  issue: Json,
  comment: Json,
): SourceChange | undefined {
  const at = Date.parse(text(comment.updated_at));
  if (!isNamed(repository, issue) || whole(comment.id) === 0 || Number.isNaN(at)) return undefined;
  const changed = {
    source: 'comment' as const,
    sourceRef: `github:${whole(repository.id)}/comment/${whole(comment.id)}`,
    parent: issueRef(repository, issue),
    at,
  };
  if (action === 'deleted') return { ...changed, change: 'deleted' };
  const body = text(comment.body).trim();
  if (body === '') return { ...changed, change: 'hidden' };
  return {
    ...changed,
    change: 'saved',
    isFirst: action === 'created',
    text: body,
    metadata: {
      kind: 'comment',
      title: text(issue.title),
      issue: nameOf(repository, issue),
      author: text(record(comment.user).login),
      url: text(comment.html_url),
    },
    links: issueLinks(repository, issue),
  };
}

const isNamed = (repository: Json, issue: Json): boolean =>
  whole(repository.id) > 0 && whole(issue.number) > 0;

/** Issues and pull requests of a repository are numbered together. */
const issueRef = (repository: Json, issue: Json): string =>
  `github:${whole(repository.id)}#${whole(issue.number)}`;

const nameOf = (repository: Json, issue: Json): string =>
  `${text(repository.full_name)}#${whole(issue.number)}`;

/** The two ways people refer to an issue: from outside its repository and within it. */
const issueLinks = (repository: Json, issue: Json): Link[] => [
  { relation: 'issue', target: nameOf(repository, issue) },
  { relation: 'issue', target: `#${whole(issue.number)}` },
];
