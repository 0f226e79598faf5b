import { type Json, text, whole } from '../../base/json.ts';
import type { Link } from '../../domain/memory.ts';
import type { SourceChange } from '../../domain/source-change.ts';

interface GitHubComment {
  kind: 'comment' | 'review comment' | 'commit comment';
  repository: Json;
  comment: Json;
  /** The issue or pull request that it is about. */
  parent?: string;
  /** What is stored of it besides its text, kind and address. */
  metadata: Record<string, unknown>;
  keeps?: string[];
  links: Link[];
}

/** The change that an event reports of a comment on an issue, a line or a commit. */
export function commentChange(
  action: string,
  { kind, repository, comment, parent, metadata, keeps, links }: GitHubComment,
): SourceChange | undefined {
  const at = Date.parse(text(comment.updated_at));
  if (whole(repository.id) === 0 || whole(comment.id) === 0 || Number.isNaN(at)) return undefined;
  const changed = {
    source: 'comment' as const,
    sourceRef: `github:${whole(repository.id)}/${kind.replace(' ', '-')}/${whole(comment.id)}`,
    ...(parent === undefined ? {} : { parent }),
    at,
  };
  if (action === 'deleted') return { ...changed, change: 'deleted' };
  const body = text(comment.body).trim();
  if (body === '') return { ...changed, change: 'hidden' };
  return {
    ...changed,
    change: 'saved',
    isFirst: action === 'created',
    ...(keeps === undefined ? {} : { keeps }),
    text: body,
    metadata: { kind, ...metadata, url: text(comment.html_url) },
    links,
  };
}
