import { resolve } from 'node:path';
import { pathInCheckout } from '../base/path-in-checkout.ts';
import type { ServedMemo } from '../domain/event.ts';
import { isWholeFile, type MemoStep, type Piece } from '../domain/memo.ts';
import { fileLines, linesHash } from '../text/file-lines.ts';
import { roughTokens } from '../text/tokens.ts';
import { possibleCallers } from './caller.ts';
import { changesSince } from './changes-since.ts';
import {
  type ContextContents,
  contentsAfter,
  type FileInContext,
  fileKey,
  freshness,
  type PieceInContext,
} from './context-contents.ts';
import { textOnDisk } from './lines-in-output.ts';

export interface MemoView {
  root: string;
  checkout: string;
  userHome: string;
  key: string;
  now: number;
  /** The steps of the session; empty if it is unknown which session is asking. */
  steps: MemoStep[];
  /** Ends of the periods in which capture was off. What the agent read before such an end does not count. */
  captureGapEnds: number[];
  /** Whether only the session's own calls are known, because no hook reports what it reads. */
  isByCalls: boolean;
  unknownReason?: string;
}

export interface MemoAnswer extends Omit<ServedMemo, 'told'> {
  /** Estimated tokens of the file that are in the agent's context; 0 if none. */
  tokens: number;
  readCount: number;
  lastReadAt: number;
  /** Estimated tokens of the file as it is on disk now; undefined if it is gone. */
  currentTokens: number | undefined;
  /** The line ranges of the file that are in the agent's context; absent if the whole file is. */
  lines?: string;
  message: string;
  diff?: string;
  /** The whole file, if a client that reports no reads is told to read it. */
  told?: Piece | undefined;
  isByCalls: boolean;
}

export function openMemo(view: MemoView) {
  const { steps, captureGapEnds } = view;
  const contexts = possibleCallers(steps, view.now).map((subagent) =>
    contentsAfter(steps, subagent, captureGapEnds),
  );
  return {
    epoch: contexts[0]?.epoch ?? 0,
    /** The files that this session has read or edited, in order of first use. */
    files: [...(contexts[0] as ContextContents).files.values()].filter(
      ({ checkout }) => checkout === view.checkout,
    ),
    ask: (name: string, withDiff: boolean) => ask(name, withDiff, contexts, view),
  };
}

interface FileOnDisk {
  path: string;
  lines: string[] | undefined;
  tokens: number | undefined;
}

function ask(name: string, withDiff: boolean, contexts: ContextContents[], view: MemoView): MemoAnswer {
  const path = pathInCheckout(name, view.root);
  const text = textOnDisk(view.root, resolve(view.root, path));
  const file: FileOnDisk =
    text === undefined
      ? { path, lines: undefined, tokens: undefined }
      : { path, lines: fileLines(text), tokens: roughTokens(text) };
  const answer = compare(file, withDiff, contexts, view);
  return view.isByCalls && view.unknownReason === undefined ? withoutReads(answer, file, view) : answer;
}

/** Compares with the file that the client was told to read. It may not have, so no tokens count as saved. */
function withoutReads(answer: MemoAnswer, { lines, tokens }: FileOnDisk, view: MemoView): MemoAnswer {
  const { status, recommendation, readCount } = answer;
  const since = 'since memo_check told you to read it or session_resume sent it';
  const message =
    readCount === 0
      ? 'This client does not report what it reads. Read the file; the next memo_check says whether it has changed since.'
      : status === 'fresh'
        ? `${answer.lines === undefined ? 'Unchanged' : `Lines ${answer.lines} are unchanged`} ${since}. Skip it if you did and still have it.`
        : answer.message.replace('since last read', since);
  const isTold = recommendation !== 'skip_reread' && lines !== undefined && lines.length > 0;
  const told = isTold
    ? {
        startLine: 1,
        lines: lines.length,
        total: lines.length,
        hash: linesHash(view.key, lines),
        tokens: tokens ?? 0,
      }
    : undefined;
  return { ...answer, message, sparedTokens: 0, told };
}

function compare(
  { path, lines: disk, tokens: currentTokens }: FileOnDisk,
  withDiff: boolean,
  contexts: ContextContents[],
  view: MemoView,
): MemoAnswer {
  const own = contexts.map(({ files }) => files.get(fileKey(view.checkout, path)));
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
    isByCalls: view.isByCalls,
    ...more,
  });
  if (view.unknownReason !== undefined) return answer('unknown', `${view.unknownReason} Read the file.`);
  const results = own.map((file) => freshness(file, disk, view.key));
  if (results.some(({ status }) => status === 'unknown')) {
    const other = contexts.length === 1 ? withContent(disk, contexts[0]?.files, view.key) : undefined;
    if (other === undefined) return answer('unknown', whyUnknown(known, results[0]?.status !== 'unknown'));
    const { pieces, readCount, lastReadAt } = other;
    const asRead = { tokens: tokensOf(pieces), readCount, lastReadAt, sparedTokens: currentTokens ?? 0 };
    return answer('fresh', `Same content as ${other.path}, which you have read.`, asRead);
  }
  const [main] = results;
  const lines = rangesOf(main?.pieces ?? []);
  const part = lines === undefined ? {} : { lines };
  const stale = results.find((one) => one.status === 'stale');
  if (stale === undefined) {
    const what =
      lines === undefined
        ? 'Unchanged since you read it'
        : `Lines ${lines} are unchanged since you read them`;
    return answer('fresh', `${what}; no need to read it again.`, {
      ...part,
      sparedTokens: tokensOf(main?.pieces ?? []),
    });
  }
  if (disk === undefined) return answer('stale', 'The file is gone or is no longer a text file.', part);
  const now = `now ~${currentTokens} tokens`;
  const changes =
    withDiff && contexts.length === 1 ? changesSince(stale.changed, disk, path, view) : undefined;
  const changeTokens = changes === undefined ? 0 : roughTokens(changes);
  if (changes === undefined || changeTokens >= (currentTokens ?? 0)) {
    return answer('stale', `Changed since last read (${now}); re-read file.`, part);
  }
  return answer('stale', `Changed since last read (${now}); the diff shows all changes.`, {
    ...part,
    recommendation: 'reread_with_diff',
    diff: changes,
    sparedTokens: (currentTokens ?? 0) - changeTokens,
  });
}

function whyUnknown(file: FileInContext | undefined, isKnownToMain: boolean): string {
  if (isKnownToMain) return 'A running subagent has not read it. If you are that subagent, read the file.';
  if (file?.isLost === true)
    return 'Read before the context was compacted or cleared. Read it again if you need it.';
  if ((file?.readCount ?? 0) > 0) return 'Only searched; it is unknown which lines you saw.';
  return 'Not read in this session.';
}

/** The file that was read with this content, such as the file before it was renamed. */
function withContent(disk: string[] = [], files: ContextContents['files'] = new Map(), key: string) {
  const hash = linesHash(key, disk);
  const isRead = ({ pieces }: FileInContext) =>
    pieces.some((piece) => isWholeFile(piece) && piece.hash === hash);
  return disk.length === 0 ? undefined : [...files.values()].find(isRead);
}

const tokensOf = (pieces: PieceInContext[]): number => pieces.reduce((sum, { tokens }) => sum + tokens, 0);

/** `10-20, 40-60`; undefined if the whole file is in the context. */
function rangesOf(pieces: PieceInContext[]): string | undefined {
  if (pieces.some(isWholeFile)) return undefined;
  return [...pieces]
    .sort((a, b) => a.startLine - b.startLine)
    .map(({ startLine, lines }) => `${startLine}-${startLine + lines - 1}`)
    .join(', ');
}
