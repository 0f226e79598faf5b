import { type Json, list, record, text, whole } from '../../base/json.ts';
import type { SourceChange } from '../../domain/source-change.ts';
import { trackerChange, writerOf } from './tracker-change.ts';

/**
 * Reads GitLab's hooks for issues, merge requests and comments on them or on commits; returns undefined for all others.
 * Confidential items are not shown to the project, and items that become confidential are removed.
 */
export function changeFromGitLab(payload: Json): SourceChange | undefined {
  const project = record(payload.project);
  const attributes = record(payload.object_attributes);
  if (whole(project.id) === 0) return undefined;
  const kind = text(payload.object_kind);
  if (kind === 'issue' || kind === 'work_item') return itemChange(payload, project, attributes, '#');
  if (kind === 'merge_request') return itemChange(payload, project, attributes, '!');
  return kind === 'note' ? noteChange(payload, project, attributes) : undefined;
}

/** GitLab writes issues as #7 and merge requests as !7. */
type Sign = '#' | '!';

function itemChange(payload: Json, project: Json, attributes: Json, sign: Sign): SourceChange | undefined {
  if (whole(attributes.iid) === 0) return undefined;
  const changes = record(payload.changes);
  return trackerChange({
    ...gitlabWriter(payload, attributes, 'title' in changes || 'description' in changes),
    source: 'issue',
    sourceRef: itemRef(project, attributes, sign),
    at: Date.parse(text(attributes.updated_at)),
    isHidden: attributes.confidential === true,
    isFirst: text(attributes.action) === 'open',
    texts: [text(attributes.title), text(attributes.description)],
    metadata: {
      kind: sign === '#' ? 'issue' : 'merge request',
      title: text(attributes.title),
      status: text(attributes.state),
      labels: list(payload.labels).map((label) => text(record(label).title)),
      changedBy: text(record(payload.user).username),
      url: text(attributes.url),
    },
    issues: itemNames(project, attributes, sign),
  });
}

function noteChange(payload: Json, project: Json, attributes: Json): SourceChange | undefined {
  const on = noteTarget(payload, project, text(attributes.noteable_type));
  // System notes only record events such as a label change.
  if (on === undefined || attributes.system === true || whole(attributes.id) === 0) return undefined;
  const { item, ...target } = on;
  const isByAuthor = isFromAuthor(payload, attributes);
  const user = text(record(payload.user).username);
  return trackerChange({
    ...target,
    ...gitlabWriter(payload, attributes, text(attributes.action) === 'update'),
    source: 'comment',
    sourceRef: `gitlab:${whole(project.id)}/note/${whole(attributes.id)}`,
    at: Date.parse(text(attributes.updated_at)),
    isHidden: [attributes.confidential, attributes.internal, item.confidential].includes(true),
    isFirst: text(attributes.action) === 'create',
    ...(isByAuthor ? {} : { keeps: ['author'] }),
    texts: [text(attributes.note)],
    metadata: {
      ...target.metadata,
      ...(isByAuthor ? { author: user } : { changedBy: user }),
      url: text(attributes.url),
      ...placeOf(attributes),
      ...(isThread(attributes)
        ? { kind: 'review comment', isResolved: text(attributes.resolved_at) !== '' }
        : {}),
    },
  });
}

/** The issue, merge request or commit that a note is on. */
function noteTarget(payload: Json, project: Json, type: string) {
  if (type === 'Commit') {
    const item = record(payload.commit);
    const commit = text(item.id);
    const title = `${text(project.path_with_namespace)}@${commit.slice(0, 7)}`;
    return commit === ''
      ? undefined
      : { item, metadata: { kind: 'commit comment', title, commit }, issues: [] };
  }
  if (type !== 'Issue' && type !== 'MergeRequest') return undefined;
  const item = record(type === 'Issue' ? payload.issue : payload.merge_request);
  const sign = type === 'Issue' ? '#' : '!';
  if (whole(item.iid) === 0) return undefined;
  return {
    item,
    parent: itemRef(project, item, sign),
    metadata: { kind: 'comment', title: text(item.title) },
    issues: itemNames(project, item, sign),
  };
}

/** Notes of these types are in a thread that can be resolved, if they are on a merge request. */
const isThread = ({ type, noteable_type }: Json): boolean =>
  noteable_type === 'MergeRequest' && (type === 'DiffNote' || type === 'DiscussionNote');

const gitlabWriter = (payload: Json, attributes: Json, isEdited: boolean) =>
  writerOf('gitlab', text(attributes.url), {
    author: attributes.author_id,
    actor: record(payload.user).id,
    isAboutText: isEdited || ['open', 'create'].includes(text(attributes.action)),
  });

/** `user` caused the event. Somebody else than the author may edit a note. */
function isFromAuthor(payload: Json, attributes: Json): boolean {
  const [author, user] = [whole(attributes.author_id), whole(record(payload.user).id)];
  return author === user || author === 0 || user === 0;
}

function placeOf(attributes: Json): Record<string, unknown> {
  const position = record(attributes.position);
  const path = text(position.new_path) || text(record(attributes.st_diff).new_path);
  const line = whole(position.new_line) || whole(position.old_line);
  return { ...(path === '' ? {} : { files: [path] }), ...(line > 0 ? { line } : {}) };
}

const itemRef = (project: Json, item: Json, sign: Sign): string =>
  `gitlab:${whole(project.id)}${sign}${whole(item.iid)}`;

const itemNames = (project: Json, item: Json, sign: Sign): string[] => [
  `${text(project.path_with_namespace)}${sign}${whole(item.iid)}`,
  `${sign}${whole(item.iid)}`,
];
