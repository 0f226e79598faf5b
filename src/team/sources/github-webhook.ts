import { type Json, list, record, text, whole } from '../../base/json.ts';
import type { SourceChange } from '../../domain/source-change.ts';
import { latest, trackerChange, writerOf } from './tracker-change.ts';

/**
 * Reads GitHub's `issues`, `issue_comment`, `pull_request`, `pull_request_review`, `pull_request_review_comment`,
 * `pull_request_review_thread` and `commit_comment` events; returns undefined for all others. References use the numeric
 * ids of repository, issue and comment, which survive renames. The event name header is not signed, so the payload
 * decides what it is about: a replayed deletion of a comment cannot delete its issue.
 */
export function changeFromGitHub(event: string, payload: Json): SourceChange | undefined {
  const action = text(payload.action);
  const repository = record(payload.repository);
  const sender = record(payload.sender);
  const pullRequest = record(payload.pull_request);
  if (payload.comment !== undefined) {
    const comment = record(payload.comment);
    if (payload.issue !== undefined)
      return remarkChange({ action, sender }, 'comment', repository, comment, record(payload.issue));
    return payload.pull_request === undefined
      ? commitCommentChange({ action, sender }, repository, comment)
      : remarkChange({ action, sender }, 'review comment', repository, comment, pullRequest);
  }
  if (payload.review !== undefined)
    return reviewChange({ action, sender }, repository, pullRequest, record(payload.review));
  if (payload.thread !== undefined) return threadChange(action, repository, pullRequest, payload);
  if (event === 'issues') return issueChange({ action, sender }, repository, record(payload.issue), 'issue');
  return event === 'pull_request'
    ? issueChange({ action, sender }, repository, pullRequest, 'pull request')
    : undefined;
}

interface Event {
  action: string;
  sender: Json;
}

const writingActions = new Set(['opened', 'edited', 'created', 'submitted']);

const githubWriter = ({ action, sender }: Event, author: unknown, page: unknown) =>
  writerOf('github', text(page), {
    author: record(author).id,
    actor: sender.id,
    isAboutText: writingActions.has(action),
  });

function issueChange(
  event: Event,
  repository: Json,
  issue: Json,
  kind: 'issue' | 'pull request',
): SourceChange | undefined {
  if (!isNamed(repository, issue)) return undefined;
  const { action } = event;
  return trackerChange({
    ...githubWriter(event, issue.user, issue.html_url),
    source: 'issue',
    sourceRef: issueRef(repository, issue),
    at: Date.parse(text(issue.updated_at)),
    // A transferred issue no longer belongs to this project.
    isDeleted: action === 'deleted' || action === 'transferred',
    isFirst: action === 'opened',
    texts: [text(issue.title), text(issue.body)],
    metadata: {
      kind,
      title: text(issue.title),
      status: text(issue.state),
      labels: list(issue.labels).map((label) => text(record(label).name)),
      author: text(record(issue.user).login),
      url: text(issue.html_url),
    },
    issues: issueNames(repository, issue),
  });
}

/** A comment on an issue or pull request, or a remark on a line of a pull request. */
function remarkChange(
  event: Event,
  kind: 'comment' | 'review comment',
  repository: Json,
  comment: Json,
  issue: Json,
): SourceChange | undefined {
  if (!isNamed(repository, issue) || whole(comment.id) === 0) return undefined;
  return trackerChange({
    ...commentBase(event, kind, repository, comment),
    parent: issueRef(repository, issue),
    // Only an event of the thread says whether it is resolved.
    ...(kind === 'review comment' ? { keeps: ['isResolved'] } : {}),
    metadata: {
      kind,
      title: text(issue.title),
      author: text(record(comment.user).login),
      ...(kind === 'review comment' ? placeOf(comment) : {}),
      url: text(comment.html_url),
    },
    issues: issueNames(repository, issue),
  });
}

function commitCommentChange(event: Event, repository: Json, comment: Json): SourceChange | undefined {
  const commit = text(comment.commit_id);
  if (commit === '' || whole(repository.id) === 0 || whole(comment.id) === 0) return undefined;
  return trackerChange({
    ...commentBase(event, 'commit comment', repository, comment),
    metadata: {
      kind: 'commit comment',
      title: `${text(repository.full_name)}@${commit.slice(0, 7)}`,
      author: text(record(comment.user).login),
      ...placeOf(comment),
      url: text(comment.html_url),
    },
    issues: [],
  });
}

const commentBase = (event: Event, kind: string, repository: Json, comment: Json) => ({
  ...githubWriter(event, comment.user, comment.html_url),
  source: 'comment' as const,
  sourceRef: `github:${whole(repository.id)}/${kind.replace(' ', '-')}/${whole(comment.id)}`,
  at: Date.parse(text(comment.updated_at)),
  isDeleted: event.action === 'deleted',
  isFirst: event.action === 'created',
  texts: [text(comment.body)],
});

/** The summary of a review. Its remarks on single lines are comments of their own. */
function reviewChange(
  event: Event,
  repository: Json,
  pullRequest: Json,
  review: Json,
): SourceChange | undefined {
  if (!isNamed(repository, pullRequest) || whole(review.id) === 0) return undefined;
  const { action } = event;
  const submitted = Date.parse(text(review.submitted_at));
  // An edited review keeps the time at which it was submitted; the pull request has the time of the edit.
  const edited = latest(submitted, text(review.updated_at), text(pullRequest.updated_at));
  return trackerChange({
    ...githubWriter(event, review.user, review.html_url),
    source: 'comment',
    sourceRef: `github:${whole(repository.id)}/review/${whole(review.id)}`,
    parent: issueRef(repository, pullRequest),
    at: action === 'submitted' ? submitted : edited,
    isFirst: action === 'submitted',
    texts: [text(review.body)],
    metadata: {
      kind: 'review',
      title: text(pullRequest.title),
      status: text(review.state),
      author: text(record(review.user).login),
      url: text(review.html_url),
    },
    issues: issueNames(repository, pullRequest),
  });
}

/**
 * A thread was resolved or reopened. The change is one of the remark that started the thread. The event contains the
 * remark's text of that time, so an edit that is delivered later and is older is rightly ignored.
 */
function threadChange(
  action: string,
  repository: Json,
  pullRequest: Json,
  payload: Json,
): SourceChange | undefined {
  if (action !== 'resolved' && action !== 'unresolved') return undefined;
  const comment = record(list(record(payload.thread).comments)[0]);
  const event = { action: 'edited', sender: {} };
  const remark = remarkChange(event, 'review comment', repository, comment, pullRequest);
  if (remark?.change !== 'saved') return remark;
  return {
    ...remark,
    at: latest(remark.at, text(payload.updated_at), text(pullRequest.updated_at)),
    metadata: { ...remark.metadata, isResolved: action === 'resolved' },
  };
}

const isNamed = (repository: Json, issue: Json): boolean =>
  whole(repository.id) > 0 && whole(issue.number) > 0;

/** Issues and pull requests of a repository are numbered together. */
const issueRef = (repository: Json, issue: Json): string =>
  `github:${whole(repository.id)}#${whole(issue.number)}`;

/** The two ways people refer to an issue: from outside its repository and within it. */
const issueNames = (repository: Json, issue: Json): string[] => [
  `${text(repository.full_name)}#${whole(issue.number)}`,
  `#${whole(issue.number)}`,
];

/** Where in the code a remark was made. `files` links the memory to the file. */
function placeOf(comment: Json): Record<string, unknown> {
  const path = text(comment.path);
  const line = whole(comment.line) || whole(comment.original_line);
  const commit = text(comment.original_commit_id) || text(comment.commit_id);
  return {
    ...(path === '' ? {} : { files: [path] }),
    ...(line > 0 ? { line } : {}),
    ...(commit === '' ? {} : { commit }),
  };
}
