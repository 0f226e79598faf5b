import { isoTime } from '../../base/clock.ts';
import { type Json, list, record, text, whole } from '../../base/json.ts';
import type { SourceChange } from '../../domain/source-change.ts';
import { commentChange } from './github-comment.ts';
import { authorTags, isNamed, issueLinks, issueName, issueRef } from './github-names.ts';

/** The fields of a review comment that only an event of its thread reports. */
const threadFields = ['isResolved', 'resolvedBy'];

/** The summary of a review. Its remarks on single lines are comments of their own. */
export function reviewChange(
  action: string,
  { repository, pullRequest, review }: { repository: Json; pullRequest: Json; review: Json },
): SourceChange | undefined {
  const submitted = Date.parse(text(review.submitted_at));
  if (!isNamed(repository, pullRequest) || whole(review.id) === 0 || Number.isNaN(submitted))
    return undefined;
  const changed = {
    source: 'comment' as const,
    sourceRef: `github:${whole(repository.id)}/review/${whole(review.id)}`,
    parent: issueRef(repository, pullRequest),
    // An edited review keeps the time at which it was submitted; the pull request has the time of the edit.
    at:
      action === 'submitted'
        ? submitted
        : latest(submitted, text(review.updated_at), text(pullRequest.updated_at)),
  };
  const body = text(review.body).trim();
  if (body === '') return { ...changed, change: 'hidden' };
  return {
    ...changed,
    change: 'saved',
    isFirst: action === 'submitted',
    text: body,
    metadata: {
      kind: 'review',
      title: text(pullRequest.title),
      issue: issueName(repository, pullRequest),
      status: text(review.state),
      created: isoOf(review.submitted_at),
      ...reviewerTags(review, pullRequest),
      url: text(review.html_url),
    },
    links: issueLinks(repository, pullRequest),
  };
}

interface ReviewComment {
  repository: Json;
  pullRequest: Json;
  comment: Json;
}

/** A remark on a line of a pull request, or a reply to one. */
export function reviewCommentChange(
  action: string,
  { repository, pullRequest, comment }: ReviewComment,
): SourceChange | undefined {
  if (!isNamed(repository, pullRequest)) return undefined;
  return commentChange(action, {
    kind: 'review comment',
    repository,
    comment,
    parent: issueRef(repository, pullRequest),
    keeps: threadFields,
    metadata: {
      title: text(pullRequest.title),
      issue: issueName(repository, pullRequest),
      created: isoOf(comment.created_at),
      ...reviewerTags(comment, pullRequest),
      ...placeOf(comment),
      ...(whole(comment.in_reply_to_id) > 0 ? { isReply: true } : {}),
    },
    links: issueLinks(repository, pullRequest),
  });
}

/**
 * A thread was resolved or reopened. The change is one of the remark that started the thread. The event contains the
 * remark's text of that time, so an edit that is delivered later and is older is rightly ignored.
 */
export function threadChange(
  action: string,
  { repository, pullRequest, payload }: { repository: Json; pullRequest: Json; payload: Json },
): SourceChange | undefined {
  if (action !== 'resolved' && action !== 'unresolved') return undefined;
  const comment = record(list(record(payload.thread).comments)[0]);
  const remark = reviewCommentChange('edited', { repository, pullRequest, comment });
  if (remark?.change !== 'saved') return remark;
  const { keeps: _, ...known } = remark;
  const isResolved = action === 'resolved';
  return {
    ...known,
    at: latest(remark.at, text(payload.updated_at), text(pullRequest.updated_at)),
    metadata: {
      ...remark.metadata,
      isResolved,
      ...(isResolved ? { resolvedBy: text(record(payload.sender).login) } : {}),
    },
  };
}

/** A comment on a commit, outside of a pull request. */
export function commitCommentChange(
  action: string,
  { repository, comment }: { repository: Json; comment: Json },
): SourceChange | undefined {
  const commit = text(comment.commit_id);
  if (commit === '') return undefined;
  return commentChange(action, {
    kind: 'commit comment',
    repository,
    comment,
    metadata: {
      title: `${text(repository.full_name)}@${commit.slice(0, 7)}`,
      ...authorTags(comment.user),
      ...placeOf(comment),
    },
    links: [],
  });
}

/** Who made a remark: `association` is the author's relation to the repository, `isOwn` marks the author's own request. */
function reviewerTags(remark: Json, pullRequest: Json): Record<string, unknown> {
  const tags = authorTags(remark.user);
  const association = text(remark.author_association).toLowerCase();
  return {
    ...tags,
    ...(association === '' ? {} : { association }),
    ...(tags.author === text(record(pullRequest.user).login) ? { isOwn: true } : {}),
  };
}

const isoOf = (time: unknown): string => {
  const at = Date.parse(text(time));
  return Number.isNaN(at) ? '' : isoTime(at);
};

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

const latest = (at: number, ...others: string[]): number =>
  Math.max(at, ...others.map((time) => Date.parse(time)).filter((time) => !Number.isNaN(time)));
