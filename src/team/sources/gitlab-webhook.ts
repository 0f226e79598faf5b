import { isoTime } from '../../base/clock.ts';
import { type Json, list, record, text, whole } from '../../base/json.ts';
import type { Link } from '../../domain/memory.ts';
import type { SourceChange } from '../../domain/source-change.ts';

/**
 * Reads GitLab's hooks for issues, merge requests and comments on them or on commits; returns undefined for all others.
 * Confidential items are not shown to the project, and items that become confidential are removed.
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
    ...(sign === '#' || isPush(attributes) ? {} : { keeps: ['pushedAt'] }),
    text: [text(attributes.title), text(attributes.description)].filter((part) => part !== '').join('\n\n'),
    metadata: {
      kind: sign === '#' ? 'issue' : 'merge request',
      title: text(attributes.title),
      status: text(attributes.state),
      labels: list(payload.labels).map((label) => text(record(label).title)),
      changedBy: text(record(payload.user).username),
      url: text(attributes.url),
      ...(sign === '!' ? requestTags(attributes) : {}),
    },
    links: itemLinks(project, attributes, sign),
  };
}

/** GitLab sends the previous head commit only if commits were pushed to the merge request. */
const isPush = (attributes: Json): boolean => text(attributes.oldrev) !== '';

/** What a merge request says about the remarks made on it: GitLab sends no event when a single thread is resolved. */
const requestTags = (attributes: Json): Record<string, unknown> => ({
  ...(typeof attributes.blocking_discussions_resolved === 'boolean'
    ? { isResolved: attributes.blocking_discussions_resolved }
    : {}),
  ...(isPush(attributes) ? { pushedAt: isoTime(Date.parse(text(attributes.updated_at))) } : {}),
});

function noteChange(payload: Json, project: Json, attributes: Json, at: number): SourceChange | undefined {
  const on = noteTarget(payload, project, text(attributes.noteable_type));
  // System notes only record events such as a label change.
  if (on === undefined || attributes.system === true || whole(attributes.id) === 0) return undefined;
  const changed = {
    source: 'comment' as const,
    sourceRef: `gitlab:${whole(project.id)}/note/${whole(attributes.id)}`,
    ...(on.parent === undefined ? {} : { parent: on.parent }),
    at,
  };
  const isConfidential = [attributes.confidential, attributes.internal, on.isConfidential].includes(true);
  const body = text(attributes.note).trim();
  if (isConfidential || body === '') return { ...changed, change: 'hidden' };
  const isByAuthor = isFromAuthor(payload, attributes);
  return {
    ...changed,
    change: 'saved',
    isFirst: text(attributes.action) === 'create',
    ...(isByAuthor ? {} : { keeps: ['author', 'isBot'] }),
    text: body,
    metadata: {
      ...on.tags,
      ...(on.tags.kind === 'comment' && isThread(attributes) ? { kind: 'review comment' } : {}),
      ...(isByAuthor ? authorTags(payload.user) : { changedBy: text(record(payload.user).username) }),
      url: text(attributes.url),
      ...placeOf(attributes),
      ...(isThread(attributes) ? threadTags(payload, attributes) : {}),
    },
    links: on.links,
  };
}

interface NoteTarget {
  parent?: string;
  isConfidential: boolean;
  tags: Record<string, unknown>;
  links: Link[];
}

function noteTarget(payload: Json, project: Json, type: string): NoteTarget | undefined {
  if (type === 'Commit') {
    const commit = record(payload.commit);
    const id = text(commit.id);
    const name = `${text(project.path_with_namespace)}@${id.slice(0, 7)}`;
    const tags = { kind: 'commit comment', title: name, commit: id };
    return id === '' ? undefined : { isConfidential: false, tags, links: [] };
  }
  if (type !== 'Issue' && type !== 'MergeRequest') return undefined;
  const item = record(type === 'Issue' ? payload.issue : payload.merge_request);
  const sign = type === 'Issue' ? '#' : '!';
  if (whole(item.iid) === 0) return undefined;
  return {
    parent: itemRef(project, item, sign),
    isConfidential: item.confidential === true,
    tags: { kind: 'comment', title: text(item.title), issue: nameOf(project, item, sign) },
    links: itemLinks(project, item, sign),
  };
}

/** Notes of these types are in a thread that can be resolved, if they are on a merge request. */
const isThread = ({ type, noteable_type }: Json): boolean =>
  noteable_type === 'MergeRequest' && (type === 'DiffNote' || type === 'DiscussionNote');

/** `isOwn` marks a remark of the merge request's author on their own request. */
function threadTags(payload: Json, attributes: Json): Record<string, unknown> {
  const created = Date.parse(text(attributes.created_at));
  const author = whole(attributes.author_id);
  return {
    isResolved: text(attributes.resolved_at) !== '',
    ...(Number.isNaN(created) ? {} : { created: isoTime(created) }),
    ...(author > 0 && author === whole(record(payload.merge_request).author_id) ? { isOwn: true } : {}),
  };
}

/** `user` caused the event. Somebody else than the author may edit a note. */
function isFromAuthor(payload: Json, attributes: Json): boolean {
  const [author, user] = [whole(attributes.author_id), whole(record(payload.user).id)];
  return author === user || author === 0 || user === 0;
}

/** Access tokens of projects and groups act as bots, which GitLab names itself. */
const botName = /^(?:(?:project|group)_\d+_bot|service_account_)/;

function authorTags(user: unknown): { author: string; isBot?: true } {
  const author = text(record(user).username);
  return { author, ...(botName.test(author) ? { isBot: true } : {}) };
}

function placeOf(attributes: Json): Record<string, unknown> {
  const position = record(attributes.position);
  const path = text(position.new_path) || text(record(attributes.st_diff).new_path);
  const line = whole(position.new_line) || whole(position.old_line);
  return { ...(path === '' ? {} : { files: [path] }), ...(line > 0 ? { line } : {}) };
}

const itemRef = (project: Json, item: Json, sign: Sign): string =>
  `gitlab:${whole(project.id)}${sign}${whole(item.iid)}`;

const nameOf = (project: Json, item: Json, sign: Sign): string =>
  `${text(project.path_with_namespace)}${sign}${whole(item.iid)}`;

const itemLinks = (project: Json, item: Json, sign: Sign): Link[] => [
  { relation: 'issue', target: nameOf(project, item, sign) },
  { relation: 'issue', target: `${sign}${whole(item.iid)}` },
];
