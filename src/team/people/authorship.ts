import { AppError } from '../../base/errors.ts';
import type { Member } from '../../domain/memory.ts';

/**
 * Who may write what. A memory belongs to the person whose token, device or browser session saved it; names that a
 * request contains decide nothing. Only that person replaces or removes it, or an operator: an owner of the project with
 * a credential of their own, because agents can read the token of a device. The signature of a webhook's delivery proves
 * that it comes from the forge, which is the source of what it replaces.
 */
export type Writer = Pick<Member, 'kind' | 'role'>;

/** Null if no member wrote it, but a source of the team. */
export type Author = string | null;

/** Whether somebody else wrote it. `own` are the ids of the caller and of their devices. */
export const isForeign = (author: Author, own: readonly string[]): boolean =>
  author === null || !own.includes(author);

const isOperator = ({ kind, role }: Writer): boolean => kind === 'user' && role === 'owner';

/** Whether the caller may replace and remove memories of everybody. */
export const writesForAll = (writer: Writer): boolean => writer.kind === 'webhook' || isOperator(writer);

/** Whether the caller may replace and remove a memory of this author. */
export const mayReplace = (writer: Writer, own: readonly string[], author: Author): boolean =>
  writesForAll(writer) || !isForeign(author, own);

/** Tags as they are stored: a name or an account in them would pass for the author where tags are shown. */
export const withoutSignature = ({
  author: _,
  account: _account,
  ...metadata
}: Record<string, unknown>): Record<string, unknown> => metadata;

/** Says whose memory it is: the caller may read it, so the name is no secret. `by` is undefined for a source. */
export function notYours({ kind, role }: Writer, by: string | undefined): AppError {
  const hint =
    kind === 'device' && role === 'owner'
      ? 'You are an owner: do it with your own token or in the browser, not with the token of a device'
      : 'Save your text as a memory of your own, with another sourceRef. If a note is wrong: backstory edit ID --wrong. To remove it, ask its author or an owner of the project';
  return new AppError(
    'FORBIDDEN',
    by === undefined
      ? 'this memory comes from a source of the team; only an owner of the project can replace or remove it'
      : `this memory is by ${by}; only ${by} or an owner of the project can replace or remove it`,
    { hint },
  );
}
