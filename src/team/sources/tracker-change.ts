import { text, whole } from '../../base/json.ts';
import type { SourceChange } from '../../domain/source-change.ts';
import type { WebhookKind } from '../store/team-sources.ts';

type Saved = Extract<SourceChange, { change: 'saved' }>;

/** What a tracker's webhook reports of an issue or a comment. */
interface Reported extends Omit<Saved, 'change' | 'text' | 'links'> {
  isDeleted?: boolean;
  /** It is not for everybody in the project. */
  isHidden?: boolean;
  /** A title and a text, or a text alone. */
  texts: string[];
  /** Names of the issue that it is or belongs to, as people refer to it; the first one is complete. */
  issues: string[];
}

/** The change to apply; undefined without a time. A comment without text is hidden. */
export function trackerChange(reported: Reported): SourceChange | undefined {
  const { isDeleted = false, isHidden = false, texts, issues, ...saved } = reported;
  const { source, sourceRef, parent, at } = saved;
  if (!(at > 0)) return undefined;
  const changed = { source, sourceRef, parent, at };
  if (isDeleted) return { ...changed, change: 'deleted' };
  const text = texts.filter((part) => part !== '').join('\n\n');
  if (isHidden || (source === 'comment' && text.trim() === '')) return { ...changed, change: 'hidden' };
  const names = issues.filter((name) => name !== '');
  return {
    ...saved,
    change: 'saved',
    metadata: { ...saved.metadata, ...(names[0] === undefined ? {} : { issue: names[0] }) },
    links: names.map((target) => ({ relation: 'issue', target })),
    text: source === 'comment' ? text.trim() : text,
  };
}

/**
 * The account that wrote the text of an issue or a comment: its author, if they themselves made a change of the text.
 * Others may edit it too, and events about labels carry the text as well. Names of accounts may change hands, so the id
 * of the account decides, and the host says which tracker gave it.
 */
export function writerOf(
  kind: WebhookKind,
  page: string,
  { author, actor, isAboutText }: { author: unknown; actor: unknown; isAboutText: boolean },
): { writer?: string } {
  const id = typeof author === 'number' ? String(whole(author)) : text(author);
  const isAuthor = id !== '' && id !== '0' && author === actor;
  return isAboutText && isAuthor ? { writer: `${kind}:${URL.parse(page)?.host ?? ''}:${id}` } : {};
}

/** The time of the latest of these ISO times; `at` is a known one. */
export const latest = (at: number, ...times: string[]): number =>
  Math.max(at, ...times.map((time) => Date.parse(time) || 0));
