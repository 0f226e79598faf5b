import { type Json, list, record, text, whole } from '../../base/json.ts';
import type { SourceChange } from '../../domain/source-change.ts';

/**
 * Reads Linear's webhooks for issues and comments on them; returns undefined for all others. References use the ids of
 * Linear, which stay when an issue moves to another team and gets another identifier.
 */
export function changeFromLinear(payload: Json): SourceChange | undefined {
  const data = record(payload.data);
  const at = Date.parse(text(data.updatedAt));
  if (text(data.id) === '' || Number.isNaN(at)) return undefined;
  if (payload.type === 'Issue') return issueChange(payload, data, at);
  return payload.type === 'Comment' ? commentChange(payload, data, at) : undefined;
}

function issueChange(payload: Json, data: Json, at: number): SourceChange {
  const changed = { source: 'issue' as const, sourceRef: issueRef(text(data.id)), at };
  // Linear keeps a deleted issue for some time, and it can be restored. `createdAt` is the time of the deletion.
  if (payload.action === 'remove')
    return { ...changed, change: 'hidden', at: Math.max(at, Date.parse(text(payload.createdAt)) || 0) };
  const identifier = identifierOf(data);
  const actor = record(payload.actor);
  const isByAuthor = payload.action === 'create' || text(actor.id) === text(data.creatorId);
  return {
    ...changed,
    change: 'saved',
    isFirst: payload.action === 'create',
    ...(isByAuthor ? {} : { keeps: ['author', 'isBot'] }),
    text: [text(data.title), text(data.description)].filter((part) => part !== '').join('\n\n'),
    metadata: {
      kind: 'issue',
      title: text(data.title),
      issue: identifier,
      status: text(record(data.state).name),
      labels: list(data.labels).map((label) => text(record(label).name)),
      ...(isByAuthor ? accountTags(actor) : { changedBy: text(actor.name) }),
      url: text(data.url) || text(payload.url),
    },
    links: identifier === '' ? [] : [{ relation: 'issue', target: identifier }],
  };
}

function commentChange(payload: Json, data: Json, at: number): SourceChange | undefined {
  const issue = record(data.issue);
  const parent = text(data.issueId) || text(issue.id);
  // Comments on project updates and documents have no issue.
  if (parent === '') return undefined;
  const changed = {
    source: 'comment' as const,
    sourceRef: `linear:comment/${text(data.id)}`,
    parent: issueRef(parent),
    at,
  };
  if (payload.action === 'remove') return { ...changed, change: 'deleted' };
  const body = text(data.body).trim();
  if (body === '') return { ...changed, change: 'hidden' };
  const identifier = identifierOf(issue);
  return {
    ...changed,
    change: 'saved',
    isFirst: payload.action === 'create',
    text: body,
    metadata: {
      kind: 'comment',
      title: text(issue.title),
      ...(identifier === '' ? {} : { issue: identifier }),
      ...commentAuthor(payload, data),
      url: text(payload.url) || text(data.url),
      isResolved: text(data.resolvedAt) !== '',
    },
    links: identifier === '' ? [] : [{ relation: 'issue', target: identifier }],
  };
}

const issueRef = (id: string): string => `linear:issue/${id}`;

/** Such as ENG-12. Older payloads have only its parts. */
function identifierOf(issue: Json): string {
  const key = text(record(issue.team).key);
  return text(issue.identifier) || (key !== '' && whole(issue.number) > 0 ? `${key}-${issue.number}` : '');
}

function commentAuthor(payload: Json, data: Json): Record<string, unknown> {
  const author = text(record(data.user).name);
  const isByBot = data.botActor !== undefined && data.botActor !== null;
  if (author !== '') return { author, ...(isByBot ? { isBot: true } : {}) };
  const external = text(record(data.externalUser).name);
  return external === '' ? accountTags(record(payload.actor)) : { author: external };
}

/** Integrations and OAuth applications act under a type of their own. */
const accountTags = (actor: Json): { author: string; isBot?: true } => ({
  author: text(actor.name),
  ...(['', 'user'].includes(text(actor.type)) ? {} : { isBot: true }),
});
