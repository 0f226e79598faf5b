import { isoTime } from '../../base/clock.ts';
import { type Json, list, record, text } from '../../base/json.ts';
import type { SourceChange } from '../../domain/source-change.ts';
import { commentChange } from './github-comment.ts';
import { authorTags, isNamed, issueLinks, issueName, issueRef } from './github-names.ts';
import { commitCommentChange, reviewChange, reviewCommentChange, threadChange } from './github-review.ts';

/**
 * Reads GitHub's `issues`, `issue_comment`, `pull_request`, `pull_request_review`, `pull_request_review_comment`,
 * `pull_request_review_thread` and `commit_comment` events; returns undefined for all others. References use the numeric
 * ids of repository, issue and comment, which survive renames. The event name header is not signed, so the payload
 * decides what it is about: a replayed deletion of a comment cannot delete its issue.
 */
export function changeFromGitHub(event: string, payload: Json): SourceChange | undefined {
  const action = text(payload.action);
  const repository = record(payload.repository);
  const pullRequest = record(payload.pull_request);
  if (payload.comment !== undefined) {
    const comment = record(payload.comment);
    if (payload.issue !== undefined)
      return issueCommentChange(action, repository, record(payload.issue), comment);
    return payload.pull_request === undefined
      ? commitCommentChange(action, { repository, comment })
      : reviewCommentChange(action, { repository, pullRequest, comment });
  }
  if (payload.review !== undefined)
    return reviewChange(action, { repository, pullRequest, review: record(payload.review) });
  if (payload.thread !== undefined) return threadChange(action, { repository, pullRequest, payload });
  if (event === 'issues') return issueChange(action, repository, record(payload.issue), 'issue');
  return event === 'pull_request' ? issueChange(action, repository, pullRequest, 'pull request') : undefined;
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
    ...(kind === 'issue' || action === 'synchronize' ? {} : { keeps: ['pushedAt'] }),
    text: [text(issue.title), text(issue.body)].filter((part) => part !== '').join('\n\n'),
    metadata: {
      kind,
      title: text(issue.title),
      status: text(issue.state),
      labels: list(issue.labels).map((label) => text(record(label).name)),
      ...authorTags(issue.user),
      url: text(issue.html_url),
      // Commits were pushed to the pull request, which may answer the remarks made before.
      ...(action === 'synchronize' ? { pushedAt: isoTime(at) } : {}),
    },
    links: issueLinks(repository, issue),
  };
}

function issueCommentChange(
  action: string,
  repository: Json,
  issue: Json,
  comment: Json,
): SourceChange | undefined {
  if (!isNamed(repository, issue)) return undefined;
  return commentChange(action, {
    kind: 'comment',
    repository,
    comment,
    parent: issueRef(repository, issue),
    metadata: {
      title: text(issue.title),
      issue: issueName(repository, issue),
      ...authorTags(comment.user),
    },
    links: issueLinks(repository, issue),
  });
}
