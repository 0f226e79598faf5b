import { z } from 'zod';
import { type Link, maxMemoryTextLength } from '../../domain/memory.ts';
import type { SourceChange } from '../../domain/source-change.ts';
import { shortOutput } from '../../memory/capture/strip-noise.ts';
import { metadataShape } from '../memories/prepare.ts';

const longText = z.string().max(maxMemoryTextLength);
const reference = z.string().min(1).max(500);
const lines = z.array(z.string().max(10_000)).max(500);

const lifecycleFields = z.object({
  event: z.enum([
    'issue:created',
    'issue:updated',
    'issue:deleted',
    'comment:created',
    'comment:updated',
    'comment:deleted',
    'job:completed',
    'job:deleted',
  ]),
  sourceRef: reference.describe('A stable id of the issue, comment or job'),
  updatedAt: z.iso
    .datetime({ offset: true })
    .describe(
      'When it changed, by the clock of its origin. Changes older than the last known one are ignored',
    ),
  title: z.string().max(1_000).optional().describe('For an issue or a job'),
  description: longText.optional().describe('For an issue'),
  body: longText.optional().describe('For a comment'),
  issue: reference.optional().describe('For a comment or a job: the sourceRef of its issue'),
  stdout: longText.optional().describe('For a job: significant lines and the end of the output are kept'),
  toolResults: z
    .array(z.object({ tool: z.string().min(1).max(200), output: longText }))
    .max(200)
    .optional(),
  sessionContext: z
    .object({
      decisions: lines.optional(),
      resolvedErrors: lines.optional(),
      filesModified: lines.optional(),
    })
    .optional()
    .describe('For a job: decisions, resolved errors and changed files'),
  metadata: metadataShape,
});

type Lifecycle = z.output<typeof lifecycleFields>;

/**
 * A change to an issue, comment or job, as any program may report it: the body of POST …/lifecycle, and of a delivery to
 * a webhook of the kind `signed`.
 */
export const lifecycleShape = lifecycleFields.refine(
  (input) => input.event.endsWith(':deleted') || textOf(input) !== '',
  'an issue needs a title or description, a comment a body, a job a title, output or sessionContext',
);

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
function textOf({ event, title, description, body, ...job }: Lifecycle): string {
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
