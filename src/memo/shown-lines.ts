import { isAbsolute, resolve } from 'node:path';
import type { Observation } from '../agents/agent.ts';
import { findCheckoutFile, readCheckoutFile } from '../base/checkout-file.ts';
import { hashId } from '../base/hash.ts';
import { pathInCheckout } from '../base/path-in-checkout.ts';
import { readPlainFile, stampAt } from '../base/plain-file.ts';
import { fileLines } from '../text/file-lines.ts';
import { roughTokens } from '../text/tokens.ts';
import { type Look, looksOf, type Slice } from './reading-command.ts';

/** What is larger is not held in a context, and not worth a hook's time. */
export const maxFileBytes = 2 * 1024 * 1024;
const maxLooks = 20;

/**
 * The text of a file that an agent named; undefined for what is no file, too large, or not to be read. Agents name files
 * outside of the checkout too. The repository does not choose what lies there, so there only the file has to be plain.
 */
export function textOnDisk(root: string, path: string): string | undefined {
  const file = isBelow(root, path)
    ? readCheckoutFile(root, path, maxFileBytes)
    : readPlainFile(path, maxFileBytes);
  return file.kind === 'file' ? file.bytes.toString('utf8') : undefined;
}

const isThere = (root: string, path: string): boolean =>
  isBelow(root, path) ? findCheckoutFile(root, path) !== undefined : stampAt(path) !== undefined;

const isBelow = (root: string, path: string): boolean =>
  root !== '' && !isAbsolute(pathInCheckout(path, root));

/** Where an agent stood when it named files. */
export interface LinesOnDisk {
  root: string;
  cwd: string;
}

/**
 * What a command showed of files. A command line only claims; lines count as seen when they stand in the output as
 * they stand on disk. So whatever the shell made of it, what is said was seen was seen. `isLate`: the disk may have
 * changed since. Then the lines have to be all that was printed, because a file that was cut short meanwhile is found
 * in what was shown of it, and is another one.
 */
export function readsByCommand(
  observation: Observation,
  { root, cwd }: LinesOnDisk,
  isLate = false,
): Observation[] {
  if (observation.kind !== 'command') return [];
  const { command, turn, subagent } = observation.body;
  const output = observation.shown ?? observation.body.output ?? '';
  if (output === '') return [];
  const looks = looksOf(command, cwd).slice(0, maxLooks);
  const searched = looks.some(({ kind }) => kind === 'searched') || /\b(?:rg|grep)\b/.test(command);
  const found = searched ? pathsInOutput(output, cwd) : [];
  const known = new Set(looks.map(({ path }) => path));
  const all = [...looks, ...found.filter(({ path }) => !known.has(path))].slice(0, maxLooks);
  const place = { ...(turn === undefined ? {} : { turn }), ...(subagent === undefined ? {} : { subagent }) };
  return all.flatMap((look) => {
    const read = readOf(root, look, output, isLate);
    if (read === undefined) return [];
    const { seen, ...piece } = read;
    const id = hashId(observation.id, 'read', look.path, String(piece.startLine));
    const { at, source, agentSession, agentVersion, branch, cwd: stood } = observation;
    const envelope = { at, source, agentSession, agentVersion, branch, cwd: stood };
    const given = Object.fromEntries(Object.entries(envelope).filter(([, value]) => value !== undefined));
    const body = { ...place, path: look.path, ...piece };
    return [{ kind: 'read', id, origin: 'tool', trust: 1, body, seen, ...given } as Observation];
  });
}

interface SeenPiece {
  startLine: number;
  lines: number;
  total?: number;
  hash: '';
  tokens: number;
  seen: string;
}

function readOf(root: string, look: Look, output: string, isLate: boolean): SeenPiece | undefined {
  const glance: SeenPiece = { startLine: 1, lines: 0, hash: '', tokens: 0, seen: '' };
  if (look.kind === 'searched') return isThere(root, look.path) ? glance : undefined;
  const text = textOnDisk(root, look.path);
  if (text === undefined) return undefined;
  return findShown(fileLines(text), look.slices, output, look.isNumbered, isLate) ?? glance;
}

/** The lines of a file that a slice names, if the output has all of them, one after the other. */
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

/** `src/a.ts:12:…`, as searches print it. */
function pathsInOutput(output: string, cwd: string): Look[] {
  const names = new Set(
    [...output.matchAll(/^([^:\n]{1,300}):\d+[:-]/gm)].map((match) => match[1] as string),
  );
  return [...names].slice(0, maxLooks).map((name) => ({ kind: 'searched', path: resolve(cwd, name) }));
}

/** A read of which only the answer is known: the lines it asked for, where the answer has them as the disk has. */
export function withShownLines(observation: Observation, root: string): Observation {
  if (observation.kind !== 'read' || observation.shown === undefined) return observation;
  const { body, shown } = observation;
  const { startLine, lines, path } = body;
  const glance: Observation = { ...observation, body: { ...body, lines: 0 } };
  const text = textOnDisk(root, path);
  if (text === undefined) return glance;
  const slice = { from: startLine - 1, to: lines > 0 ? startLine - 1 + lines : Number.POSITIVE_INFINITY };
  const read =
    findShown(fileLines(text), [slice], shown, false) ?? findShown(fileLines(text), [slice], shown, true);
  if (read === undefined) return glance;
  const { seen, ...piece } = read;
  return { ...observation, body: { ...body, ...piece }, seen };
}
