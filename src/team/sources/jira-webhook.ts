import { type Json, list, record, text, whole } from '../../base/json.ts';
import type { SourceChange } from '../../domain/source-change.ts';
import { trackerChange, writerOf } from './tracker-change.ts';

/**
 * Reads Jira's webhooks for issues and comments; returns undefined for all others. Ids are unique within a site, so
 * references contain its address. Restricted comments and issues with a security level are not shown to the project.
 */
export function changeFromJira(payload: Json): SourceChange | undefined {
  const issue = record(payload.issue);
  const event = text(payload.webhookEvent);
  if (text(issue.id) === '') return undefined;
  if (/^jira:issue_(?:created|updated|deleted)$/.test(event)) return issueChange(event, payload, issue);
  return /^comment_(?:created|updated|deleted)$/.test(event)
    ? commentChange(event, payload, issue)
    : undefined;
}

function issueChange(event: string, payload: Json, issue: Json): SourceChange | undefined {
  const fields = record(issue.fields);
  // Comments do not say whether their issue has a security level, so a restricted issue is removed for good: later
  // comments on it are refused.
  const isRestricted = (fields.security ?? null) !== null;
  const changed = list(record(payload.changelog).items).map((item) => text(record(item).field));
  return trackerChange({
    ...writerOf('jira', pageOf(issue), {
      author: accountOf(fields.creator),
      actor: accountOf(payload.user),
      isAboutText:
        event === 'jira:issue_created' || changed.includes('summary') || changed.includes('description'),
    }),
    source: 'issue',
    sourceRef: issueRef(issue),
    at: timeOf(fields.updated, payload),
    isDeleted: event === 'jira:issue_deleted' || isRestricted,
    isFirst: event === 'jira:issue_created',
    texts: [text(fields.summary), documentText(fields.description).trim()],
    metadata: {
      kind: 'issue',
      title: text(fields.summary),
      status: text(record(fields.status).name),
      labels: list(fields.labels).map(text),
      author: text(record(fields.creator ?? fields.reporter).displayName),
      url: pageOf(issue),
    },
    issues: [text(issue.key)],
  });
}

function commentChange(event: string, payload: Json, issue: Json): SourceChange | undefined {
  const comment = record(payload.comment);
  if (text(comment.id) === '') return undefined;
  return trackerChange({
    ...writerOf('jira', pageOf(issue), {
      author: accountOf(comment.author),
      actor: accountOf(comment.updateAuthor ?? comment.author),
      isAboutText: event !== 'comment_deleted',
    }),
    source: 'comment',
    sourceRef: `jira:${siteOf(issue)}/comment/${text(comment.id)}`,
    parent: issueRef(issue),
    at: timeOf(comment.updated, payload),
    isDeleted: event === 'comment_deleted',
    isHidden: (comment.visibility ?? null) !== null || comment.jsdPublic === false,
    isFirst: event === 'comment_created',
    texts: [documentText(comment.body)],
    metadata: {
      kind: 'comment',
      title: text(record(issue.fields).summary),
      author: text(record(comment.author).displayName),
      url: `${pageOf(issue)}?focusedCommentId=${text(comment.id)}`,
    },
    issues: [text(issue.key)],
  });
}

/** The id of a person in Jira's cloud, or on a server of one's own. Display names are anybody's choice. */
const accountOf = (person: unknown): string => text(record(person).accountId) || text(record(person).key);

/** `https://acme.atlassian.net` of `https://acme.atlassian.net/rest/api/2/issue/10002`. */
const siteOf = ({ self }: Json): string => text(self).replace(/\/rest\/.*$/s, '');

const issueRef = (issue: Json): string => `jira:${siteOf(issue)}/issue/${text(issue.id)}`;

const pageOf = (issue: Json): string => `${siteOf(issue)}/browse/${text(issue.key)}`;

const timeOf = (updated: unknown, { timestamp }: Json): number =>
  Date.parse(text(updated)) || whole(timestamp);

const blocks = new Set(['paragraph', 'heading', 'listItem', 'codeBlock', 'blockquote', 'tableRow', 'rule']);
const maxDepth = 50;

/** Jira sends text in its own markup, or as a tree of nodes in the Atlassian Document Format. */
function documentText(document: unknown, depth = 0): string {
  if (typeof document === 'string') return document;
  const { type, text: own, content, attrs } = record(document);
  if (depth > maxDepth) return '';
  if (type === 'text') return text(own);
  if (type === 'hardBreak') return '\n';
  if (type === 'mention' || type === 'emoji') return text(record(attrs).text);
  if (type === 'inlineCard') return text(record(attrs).url);
  const inner = list(content)
    .map((node) => documentText(node, depth + 1))
    .join('');
  return blocks.has(text(type)) ? `${inner.trimEnd()}\n` : inner;
}
