import { resolve } from 'node:path';
import { pathInCheckout } from '../base/path-in-checkout.ts';
import type { ServedMemo } from '../domain/event.ts';
import { isWholeFile, type MemoStep } from '../domain/memo.ts';
import { fileLines, linesHash } from '../text/file-lines.ts';
import { roughTokens } from '../text/tokens.ts';
import { possibleCallers } from './caller.ts';
import { changesSince } from './changes-since.ts';
import {
  type ContextContents,
  contentsAfter,
  type FileInContext,
  fileKey,
  type PieceInContext,
} from './context-contents.ts';
import { freshness } from './freshness.ts';
import { textOnDisk } from './shown-lines.ts';

/** What Memo knows of an agent session, at the moment of the question. */
export interface MemoView {
  root: string;
  checkout: string;
  userHome: string;
  /** This device's. */
  key: string;
  now: number;
  /** The session's own; none when it is not known which session asks. */
  steps: MemoStep[];
  /** Ends of the times in which nothing was told. */
  silentUntil: number[];
  /** Why nothing can be said, where that is so. */
  blind?: string;
}

export interface MemoAnswer {
  path: string;
  status: ServedMemo['status'];
  recommendation: ServedMemo['recommendation'];
  /** Estimated, of what is held; 0 when nothing is. */
  tokens: number;
  readCount: number;
  /** Milliseconds since 1970; 0 when it was never read. */
  lastReadAt: number;
  /** Estimated, of the file as it is now; undefined when it is gone. */
  currentTokens: number | undefined;
  /** Which lines are held, unless it is the whole file. */
  lines?: string;
  message: string;
  diff?: string;
  sparedTokens: number;
}

/** A view whose steps are folded once for however many files are asked about. */
export function openMemo(view: MemoView) {
  const { steps, silentUntil } = view;
  const askers = possibleCallers(steps, view.now).map((subagent) =>
    contentsAfter(steps, subagent, silentUntil),
  );
  return {
    epoch: askers[0]?.epoch ?? 0,
    /** The files this session has read or edited, in the order in which it first did. */
    files: [...(askers[0] as ContextContents).files.values()].filter(
      ({ checkout }) => checkout === view.checkout,
    ),
    ask: (asked: string, withDiff: boolean) => ask(asked, withDiff, askers, view),
  };
}

function ask(asked: string, withDiff: boolean, askers: ContextContents[], view: MemoView): MemoAnswer {
  const path = pathInCheckout(asked, view.root);
  const text = textOnDisk(view.root, resolve(view.root, path));
  const disk = text === undefined ? undefined : fileLines(text);
  const currentTokens = text === undefined ? undefined : roughTokens(text);
  const own = askers.map((held) => held.files.get(fileKey(view.checkout, path)));
  const known = own[0];
  const answer = (
    status: MemoAnswer['status'],
    message: string,
    more: Partial<MemoAnswer> = {},
  ): MemoAnswer => ({
    path,
    status,
    recommendation: status === 'fresh' ? 'skip_reread' : 'reread',
    tokens: tokensOf(known?.pieces ?? []),
    readCount: known?.readCount ?? 0,
    lastReadAt: known?.lastReadAt ?? 0,
    currentTokens,
    message,
    sparedTokens: 0,
    ...more,
  });
  if (view.blind !== undefined) return answer('unknown', `${view.blind} Read the file.`);
  const judged = own.map((file) => freshness(file, disk, view.key));
  if (judged.some(({ status }) => status === 'unknown')) {
    const other =
      askers.length === 1 && disk !== undefined
        ? sameContent(askers[0] as ContextContents, disk, view.key)
        : undefined;
    if (other === undefined) return answer('unknown', whyUnknown(known, judged[0]?.status !== 'unknown'));
    const tokens = tokensOf(other.pieces);
    const seenAs = {
      tokens,
      readCount: other.readCount,
      lastReadAt: other.lastReadAt,
      sparedTokens: currentTokens ?? 0,
    };
    return answer('fresh', `Has the very content of ${other.path}, which you have read.`, seenAs);
  }
  const [main] = judged;
  const lines = rangesOf(main?.pieces ?? []);
  const part = lines === undefined ? {} : { lines };
  const stale = judged.find((one) => one.status === 'stale');
  if (stale === undefined) {
    const what = lines === undefined ? 'Unchanged since you read it' : `Lines ${lines} are as you read them`;
    return answer('fresh', `${what}; no need to read it again.`, {
      ...part,
      sparedTokens: tokensOf(main?.pieces ?? []),
    });
  }
  if (disk === undefined) return answer('stale', 'No longer there, or no longer a text file.', part);
  const now = `now ~${currentTokens} tokens`;
  const changes = withDiff && askers.length === 1 ? changesSince(stale.changed, disk, path, view) : undefined;
  const changeTokens = changes === undefined ? 0 : roughTokens(changes);
  if (changes === undefined || changeTokens >= (currentTokens ?? 0)) {
    return answer('stale', `Changed since last read (${now}); re-read file.`, part);
  }
  return answer('stale', `Changed since last read (${now}); the diff has all that is new.`, {
    ...part,
    recommendation: 'reread_with_diff',
    diff: changes,
    sparedTokens: (currentTokens ?? 0) - changeTokens,
  });
}

function whyUnknown(file: FileInContext | undefined, isKnownToMain: boolean): string {
  if (isKnownToMain) return 'A subagent is at work that has not read it; read the file if you are that one.';
  if (file?.isLost === true)
    return 'Read before the context was compacted or cleared; read it again if you need it.';
  if ((file?.readCount ?? 0) > 0) return 'Only looked into; which lines you saw is not known.';
  return 'Not read in this session.';
}

/** A file that was renamed or copied is known by another name. */
function sameContent(held: ContextContents, disk: string[], key: string): FileInContext | undefined {
  if (disk.length === 0) return undefined;
  const hash = linesHash(key, disk);
  return [...held.files.values()].find(({ pieces }) =>
    pieces.some((piece) => isWholeFile(piece) && piece.hash === hash),
  );
}

const tokensOf = (pieces: PieceInContext[]): number => pieces.reduce((sum, { tokens }) => sum + tokens, 0);

/** `10-20, 40-60`; undefined when the whole file is held. */
function rangesOf(pieces: PieceInContext[]): string | undefined {
  if (pieces.some(isWholeFile)) return undefined;
  return [...pieces]
    .sort((a, b) => a.startLine - b.startLine)
    .map(({ startLine, lines }) => `${startLine}-${startLine + lines - 1}`)
    .join(', ');
}
