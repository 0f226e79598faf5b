import { type Json, list, record, text, whole } from '../../base/json.ts';
import type { Link } from '../../domain/memory.ts';
import type { SourceChange } from '../../domain/source-change.ts';

/**
 * Reads GitLab's hooks for issues, merge requests and comments on them; returns undefined for all others. Confidential
 * items are not shown to the project, and items that become confidential are removed.
 */
export function changeFromGitLab(payload: Json): SourceChange | undefined {
  const project = record(payload.project);
  const attributes = record(payload.object_attributes);
  const at = Date.parse(text(attributes.updated_at));
  if (whole(project.id) === 0 || Number.isNaN(at)) return undefined;
  const kind = text(payload.object_kind);
  if (kind === 'issue' || kind === 'work_item') return itemChange(payload, project, attributes, '#', at);
  if (kind === 'merge_request') return itemChange(payload, project, attributes, '!', at);
  return kind === 'note' ? noteChange(payload, project, attributes, at) : undefined;
}

/** GitLab writes issues as #7 and merge requests as !7. */
type Sign = '#' | '!';

function itemChange(
  payload: Json,
  project: Json,
  attributes: Json,
  sign: Sign,
  at: number,
): SourceChange | undefined {
  if (whole(attributes.iid) === 0) return undefined;
  const changed = { source: 'issue' as const, sourceRef: itemRef(project, attributes, sign), at };
  if (attributes.confidential === true) return { ...changed, change: 'hidden' };
  return {
    ...changed,
    change: 'saved',
    isFirst: text(attributes.action) === 'open',
    text: [text(attributes.title), text(attributes.description)].filter((part) => part !== '').join('\n\n'),
    metadata: {
      kind: sign === '#' ? 'issue' : 'merge request',
      title: text(attributes.title),
      status: text(attributes.state),
      labels: list(payload.labels).map((label) => text(record(label).title)),
      changedBy: text(record(payload.user).username),
      url: text(attributes.url),
    },
    links: itemLinks(project, attributes, sign),
  };
}

function noteChange(payload: Json, project: Json, attributes: Json, at: number): SourceChange | undefined {
  const isOnIssue = text(attributes.noteable_type) === 'Issue';
  const isOnRequest = text(attributes.noteable_type) === 'MergeRequest';
  const item = record(isOnIssue ? payload.issue : payload.merge_request);
  // System notes only record events such as a label change.
  if (!(isOnIssue || isOnRequest) || attributes.system === true) return undefined;
  if (whole(attributes.id) === 0 || whole(item.iid) === 0) return undefined;
  const sign = isOnIssue ? '#' : '!';
  const changed = {
    source: 'comment' as const,
    sourceRef: `gitlab:${whole(project.id)}/note/${whole(attributes.id)}`,
    parent: itemRef(project, item, sign),
    at,
  };
  const isConfidential = [attributes.confidential, attributes.internal, item.confidential].includes(true);
  const body = text(attributes.note).trim();
  if (isConfidential || body === '') return { ...changed, change: 'hidden' };
  return {
    ...changed,
    change: 'saved',
    isFirst: text(attributes.action) === 'create',
    text: body,
    metadata: {
      kind: 'comment',
      title: text(item.title),
      issue: nameOf(project, item, sign),
      author: text(record(payload.user).username),
      url: text(attributes.url),
    },
    links: itemLinks(project, item, sign),
  };
}

const itemRef = (project: Json, item: Json, sign: Sign): string =>
  `gitlab:${whole(project.id)}${sign}${whole(item.iid)}`;

const nameOf = (project: Json, item: Json, sign: Sign): string =>
  `${text(project.path_with_namespace)}${sign}${whole(item.iid)}`;

const itemLinks = (project: Json, item: Json, sign: Sign): Link[] => [
  { relation: 'issue', target: nameOf(project, item, sign) },
  { relation: 'issue', target: `${sign}${whole(item.iid)}` },
];
