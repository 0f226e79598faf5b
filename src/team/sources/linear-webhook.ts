import { type Json, list, record, text, whole } from '../../base/json.ts';
import type { SourceChange } from '../../domain/source-change.ts';
import { latest, trackerChange, writerOf } from './tracker-change.ts';

/**
 * Reads Linear's webhooks for issues and comments on them; returns undefined for all others. References use the ids of
 * Linear, which stay when an issue moves to another team and gets another identifier.
 */
export function changeFromLinear(payload: Json): SourceChange | undefined {
  const data = record(payload.data);
  if (text(data.id) === '') return undefined;
  if (payload.type === 'Issue') return issueChange(payload, data);
  return payload.type === 'Comment' ? commentChange(payload, data) : undefined;
}

function issueChange(payload: Json, data: Json): SourceChange | undefined {
  const isRemoved = payload.action === 'remove';
  const updated = Date.parse(text(data.updatedAt));
  const actor = record(payload.actor);
  const isByAuthor = payload.action === 'create' || text(actor.id) === text(data.creatorId);
  return trackerChange({
    ...linearWriter(payload, data.creatorId),
    source: 'issue',
    sourceRef: issueRef(text(data.id)),
    // Linear keeps a deleted issue for some time, and it can be restored. `createdAt` is the time of the deletion.
    at: isRemoved ? latest(updated, text(payload.createdAt)) : updated,
    isHidden: isRemoved,
    isFirst: payload.action === 'create',
    ...(isByAuthor ? {} : { keeps: ['author'] }),
    texts: [text(data.title), text(data.description)],
    metadata: {
      kind: 'issue',
      title: text(data.title),
      status: text(record(data.state).name),
      labels: list(data.labels).map((label) => text(record(label).name)),
      [isByAuthor ? 'author' : 'changedBy']: text(actor.name),
      url: text(data.url) || text(payload.url),
    },
    issues: [identifierOf(data)],
  });
}

function commentChange(payload: Json, data: Json): SourceChange | undefined {
  const issue = record(data.issue);
  const parent = text(data.issueId) || text(issue.id);
  // Comments on project updates and documents have no issue.
  if (parent === '') return undefined;
  const author = [data.user, data.externalUser, payload.actor].map((one) => text(record(one).name));
  return trackerChange({
    ...linearWriter(payload, text(data.userId) || record(data.user).id),
    source: 'comment',
    sourceRef: `linear:comment/${text(data.id)}`,
    parent: issueRef(parent),
    at: Date.parse(text(data.updatedAt)),
    isDeleted: payload.action === 'remove',
    isFirst: payload.action === 'create',
    texts: [text(data.body)],
    metadata: {
      kind: 'comment',
      title: text(issue.title),
      author: author.find((name) => name !== '') ?? '',
      url: text(payload.url) || text(data.url),
      isResolved: text(data.resolvedAt) !== '',
    },
    issues: [identifierOf(issue)],
  });
}

const linearWriter = (payload: Json, author: unknown) =>
  writerOf('linear', 'https://linear.app', {
    author,
    actor: record(payload.actor).id,
    isAboutText:
      payload.action === 'create' ||
      ['title', 'description', 'body'].some((field) => field in record(payload.updatedFrom)),
  });

const issueRef = (id: string): string => `linear:issue/${id}`;

/** Such as ENG-12. Older payloads have only its parts. */
function identifierOf(issue: Json): string {
  const key = text(record(issue.team).key);
  return text(issue.identifier) || (key !== '' && whole(issue.number) > 0 ? `${key}-${issue.number}` : '');
}
