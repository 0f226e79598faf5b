import type { Link } from '../../domain/memory.ts';
import type { SourceChange } from '../../domain/source-change.ts';
import { shortOutput } from '../../memory/capture/strip-noise.ts';

export const lifecycleEvents = [
  'issue:created',
  'issue:updated',
  'issue:deleted',
  'comment:created',
  'comment:updated',
  'comment:deleted',
  'job:completed',
  'job:deleted',
] as const;
export type LifecycleEvent = (typeof lifecycleEvents)[number];

/** A change to an issue, comment or job, as any program may report it. */
export interface Lifecycle {
  event: LifecycleEvent;
  sourceRef: string;
  updatedAt: string;
  title?: string | undefined;
  description?: string | undefined;
  body?: string | undefined;
  issue?: string | undefined;
  stdout?: string | undefined;
  toolResults?: { tool: string; output: string }[] | undefined;
  sessionContext?: SessionContext | undefined;
  metadata: Record<string, unknown>;
}

export interface SessionContext {
  decisions?: string[] | undefined;
  resolvedErrors?: string[] | undefined;
  filesModified?: string[] | undefined;
}

export function changeOf(lifecycle: Lifecycle): SourceChange {
  const { event, sourceRef, issue, updatedAt } = lifecycle;
  const [source, action] = event.split(':') as ['issue' | 'comment' | 'job', string];
  const changed = { source, sourceRef, parent: issue, at: Date.parse(updatedAt) };
  if (action === 'deleted') return { ...changed, change: 'deleted' };
  return {
    ...changed,
    change: 'saved',
    isFirst: action === 'created',
    text: textOf(lifecycle),
    metadata: metadataOf(lifecycle),
    links: linksOf(lifecycle),
  };
}

/** Returns an empty string if there is nothing to remember. */
export function textOf({ event, title, description, body, ...job }: Lifecycle): string {
  if (event.startsWith('issue:')) return joined([title, description]);
  if (event.startsWith('comment:')) return joined([body]);
  const { decisions, resolvedErrors, filesModified } = job.sessionContext ?? {};
  // Decisions come first, because some readers see only the beginning of the text.
  return joined([
    title,
    listed('Decisions', decisions),
    listed('Resolved errors', resolvedErrors),
    listed('Files modified', filesModified),
    ...(job.toolResults ?? []).map(({ tool, output }) => joined([`${tool}:`, shortOutput(output)])),
    job.stdout === undefined ? undefined : shortOutput(job.stdout),
  ]);
}

const joined = (parts: (string | undefined)[]): string =>
  parts
    .map((part) => part?.trim() ?? '')
    .filter((part) => part !== '')
    .join('\n\n');

const listed = (title: string, lines: string[] = []): string =>
  lines.length === 0 ? '' : `${title}:\n${lines.map((line) => `- ${line.trim()}`).join('\n')}`;

function metadataOf({ title, issue, toolResults = [], metadata }: Lifecycle): Record<string, unknown> {
  const tools = [...new Set(toolResults.map(({ tool }) => tool))];
  return {
    ...metadata,
    ...(title === undefined ? {} : { title }),
    ...(issue === undefined ? {} : { issue }),
    ...(tools.length === 0 ? {} : { tools }),
  };
}

const maxLinks = 200;

function linksOf({ event, sourceRef, issue, sessionContext }: Lifecycle): Link[] {
  const about = event.startsWith('issue:') ? sourceRef : issue;
  const files = [...new Set(sessionContext?.filesModified ?? [])].slice(0, maxLinks);
  return [
    ...(about === undefined ? [] : [{ relation: 'issue' as const, target: about }]),
    ...files.map((target) => ({ relation: 'file' as const, target })),
  ];
}
