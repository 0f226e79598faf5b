import { isAbsolute, resolve } from 'node:path';
import type { Observation } from '../agents/agent.ts';
import { findCheckoutFile, readCheckoutFile } from '../base/checkout-file.ts';
import { hashId } from '../base/hash.ts';
import { pathInCheckout } from '../base/path-in-checkout.ts';
import { readPlainFile, stampAt } from '../base/plain-file.ts';
import type { Piece } from '../domain/memo.ts';
import { fileLines } from '../text/file-lines.ts';
import { roughTokens } from '../text/tokens.ts';
import { type ClaimedRead, claimedReads, type Slice } from './reading-command.ts';

/** Larger files are not read, because they do not fit a context and would slow down the hook. */
export const maxFileBytes = 2 * 1024 * 1024;
const maxReads = 20;

/**
 * Reads a file that an agent named; undefined if it is not a regular file, too large, or not allowed. Agents also name
 * files outside the checkout. A repository cannot place links there, so those only have to be regular files.
 */
export function textOnDisk(root: string, path: string): string | undefined {
  const file = isBelow(root, path)
    ? readCheckoutFile(root, path, maxFileBytes)
    : readPlainFile(path, maxFileBytes);
  return file.kind === 'file' ? file.bytes.toString('utf8') : undefined;
}

const fileExists = (root: string, path: string): boolean =>
  isBelow(root, path) ? findCheckoutFile(root, path) !== undefined : stampAt(path) !== undefined;

const isBelow = (root: string, path: string): boolean =>
  root !== '' && !isAbsolute(pathInCheckout(path, root));

/**
 * Finds the file lines that a command showed. The command line is only a claim: lines count as seen only if the
 * output contains them as they are on disk. `isLate` means that the file may have changed since. Then the output must
 * be exactly these lines, because a file that was truncated in the meantime would match a part of the output.
 */
export function readsByCommand(
  observation: Observation,
  { root, cwd }: { root: string; cwd: string },
  isLate = false,
): Observation[] {
  if (observation.kind !== 'command') return [];
  const { command, turn, subagent } = observation.body;
  const output = observation.shown ?? observation.body.output ?? '';
  if (output === '') return [];
  const claimed = claimedReads(command, cwd).slice(0, maxReads);
  const searched = claimed.some(({ kind }) => kind === 'searched') || /\b(?:rg|grep)\b/.test(command);
  const found = searched ? pathsInOutput(output, cwd) : [];
  const known = new Set(claimed.map(({ path }) => path));
  const all = [...claimed, ...found.filter(({ path }) => !known.has(path))].slice(0, maxReads);
  const place = { ...(turn === undefined ? {} : { turn }), ...(subagent === undefined ? {} : { subagent }) };
  const { shown: _, isRedacted: __, isReplacedByTranscript: ___, ...envelope } = observation;
  return all.flatMap((claim) => {
    const read = readOf(root, claim, output, isLate);
    if (read === undefined) return [];
    const { seen, ...piece } = read;
    const id = hashId(observation.id, 'read', claim.path, String(piece.startLine));
    const body = { ...place, path: claim.path, ...piece };
    return [{ ...envelope, kind: 'read', id, origin: 'tool', trust: 1, body, seen }];
  });
}

type SeenPiece = Piece & { hash: ''; seen: string };

function readOf(root: string, claim: ClaimedRead, output: string, isLate: boolean): SeenPiece | undefined {
  const withoutLines: SeenPiece = { startLine: 1, lines: 0, hash: '', tokens: 0, seen: '' };
  if (claim.kind === 'searched') return fileExists(root, claim.path) ? withoutLines : undefined;
  const text = textOnDisk(root, claim.path);
  if (text === undefined) return undefined;
  return findShown(fileLines(text), claim.slices, output, claim.isNumbered, isLate) ?? withoutLines;
}

function findShown(
  file: string[],
  slices: Slice[],
  output: string,
  isNumbered: boolean,
  isLate = false,
): SeenPiece | undefined {
  let [first, end] = [0, file.length];
  for (const { from, to } of slices) {
    const start = from < 0 ? Math.max(first, end + from) : Math.min(end, first + from);
    [first, end] = [start, Math.min(end, from < 0 ? end : first + to)];
  }
  const lines = file.slice(first, end);
  if (lines.length === 0) return undefined;
  const seen = lines.join('\n');
  const shown = output.includes('\r') ? output.replaceAll('\r\n', '\n') : output;
  const plain = isNumbered ? shown.replace(/^ *\d+(?:\t|[|:→] ?)/gm, '') : shown;
  const isSeen = isLate ? plain.replace(/\n$/, '') === seen : `\n${plain}\n`.includes(`\n${seen}\n`);
  if (!isSeen) return undefined;
  const isWhole = first === 0 && end === file.length;
  const total = isWhole ? { total: lines.length } : {};
  return { startLine: first + 1, lines: lines.length, ...total, hash: '', tokens: roughTokens(seen), seen };
}

/** Finds paths in the output of searches: `src/a.ts:12:…`. */
function pathsInOutput(output: string, cwd: string): ClaimedRead[] {
  const names = new Set(
    [...output.matchAll(/^([^:\n]{1,300}):\d+[:-]/gm)].map((match) => match[1] as string),
  );
  return [...names].slice(0, maxReads).map((name) => ({ kind: 'searched', path: resolve(cwd, name) }));
}

/** Completes a read of which only the output is known. The lines count if the output has them as they are on disk. */
export function withShownLines(observation: Observation, root: string): Observation {
  if (observation.kind !== 'read' || observation.shown === undefined) return observation;
  const { body, shown } = observation;
  const { startLine, lines, path } = body;
  const withoutLines: Observation = { ...observation, body: { ...body, lines: 0 } };
  const text = textOnDisk(root, path);
  if (text === undefined) return withoutLines;
  const slice = { from: startLine - 1, to: lines > 0 ? startLine - 1 + lines : Number.POSITIVE_INFINITY };
  const read =
    findShown(fileLines(text), [slice], shown, false) ?? findShown(fileLines(text), [slice], shown, true);
  if (read === undefined) return withoutLines;
  const { seen, ...piece } = read;
  return { ...observation, body: { ...body, ...piece }, seen };
}
