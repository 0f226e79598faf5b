import { type Json, list, record, text, whole } from '../../base/json.ts';
import type { Link } from '../../domain/memory.ts';
import type { SourceChange } from '../../domain/source-change.ts';

/**
 * What GitLab tells in its hooks for issues, merge requests and comments on them; undefined for everything else. What
 * is confidential there is not for a whole project here, and is taken away where it was not so before.
 */
export function changeFromGitLab(payload: Json): SourceChange | undefined {
  const project = record(payload.project);
  const told = record(payload.object_attributes);
  const at = Date.parse(text(told.updated_at));
  if (whole(project.id) === 0 || Number.isNaN(at)) return undefined;
  const kind = text(payload.object_kind);
  if (kind === 'issue' || kind === 'work_item') return itemChange(payload, project, told, '#', at);
  if (kind === 'merge_request') return itemChange(payload, project, told, '!', at);
  return kind === 'note' ? noteChange(payload, project, told, at) : undefined;
}

/** Issues are #7 there, and merge requests !7. */
type Sign = '#' | '!';

function itemChange(
  payload: Json,
  project: Json,
  told: Json,
  sign: Sign,
  at: number,
): SourceChange | undefined {
  if (whole(told.iid) === 0) return undefined;
  const changed = { source: 'issue' as const, sourceRef: itemRef(project, told, sign), at };
  if (told.confidential === true) return { ...changed, change: 'hidden' };
  return {
    ...changed,
    change: 'saved',
    isFirst: text(told.action) === 'open',
    text: [text(told.title), text(told.description)].filter((part) => part !== '').join('\n\n'),
    metadata: {
      kind: sign === '#' ? 'issue' : 'merge request',
      title: text(told.title),
      status: text(told.state),
      labels: list(payload.labels).map((label) => text(record(label).title)),
      changedBy: text(record(payload.user).username),
      url: text(told.url),
    },
    links: itemLinks(project, told, sign),
  };
}

function noteChange(payload: Json, project: Json, told: Json, at: number): SourceChange | undefined {
  const isOnIssue = text(told.noteable_type) === 'Issue';
  const isOnRequest = text(told.noteable_type) === 'MergeRequest';
  const item = record(isOnIssue ? payload.issue : payload.merge_request);
  // What GitLab itself writes under an issue tells that a label was set.
  if (!(isOnIssue || isOnRequest) || told.system === true) return undefined;
  if (whole(told.id) === 0 || whole(item.iid) === 0) return undefined;
  const sign = isOnIssue ? '#' : '!';
  const changed = {
    source: 'comment' as const,
    sourceRef: `gitlab:${whole(project.id)}/note/${whole(told.id)}`,
    parent: itemRef(project, item, sign),
    at,
  };
  const isConfidential = [told.confidential, told.internal, item.confidential].includes(true);
  const said = text(told.note).trim();
  if (isConfidential || said === '') return { ...changed, change: 'hidden' };
  return {
    ...changed,
    change: 'saved',
    isFirst: text(told.action) === 'create',
    text: said,
    metadata: {
      kind: 'comment',
      title: text(item.title),
      issue: nameOf(project, item, sign),
      author: text(record(payload.user).username),
      url: text(told.url),
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
