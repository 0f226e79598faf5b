import { filesWithBaseName } from './find-paths.ts';
import { kindOfPath, lastTier, testTier, tierOf } from './path-kind.ts';
import { candidateBlocks, candidateFiles } from './pattern/candidates.ts';
import type { Finder } from './pattern/finder.ts';
import type { ReadRange, SearchTask } from './search-file.ts';
import { type CodeView, isSearched, type ViewPart } from './view.ts';

export interface TaskChoice {
  finder: Finder;
  accepts?: ((path: string) => boolean) | undefined;
  /** A word, in lower case, whose files are looked at first. */
  prefer?: string | undefined;
}

/**
 * Sources first, so that a search that stops early has seen what matters most; before them files named like
 * what is searched for, because there it is likely to be defined. Nothing is made for files not reached.
 */
export function* tasksInOrder(
  view: CodeView,
  { finder, accepts, prefer }: TaskChoice,
  onCandidates: (count: number) => void,
): Generator<SearchTask> {
  const accepted = (path: string): boolean => accepts?.(path) ?? true;
  const live = view.live
    .filter(accepted)
    .map((path): SearchTask => ({ path, tier: tierOf(kindOfPath(path)) }));
  const groups = view.parts.map((part) => groupByFile(part, finder));
  onCandidates(groups.reduce((sum, { count }) => sum + count, 0));
  const preferred = view.parts.map((part) => filesNamed(part, prefer));
  for (let tier = -1; tier <= lastTier; tier++) {
    if (tier >= 0) yield* live.filter((task) => task.tier === tier);
    for (const [at, part] of view.parts.entries()) {
      const { files, blocksOf } = groups[at] as Groups;
      const { flags } = part.segment.tables;
      const named = preferred[at] as Set<number>;
      for (let group = 0; group < files.length; group++) {
        const file = files[group] as number;
        const own = tierOf(flags[file] as number);
        const isPreferred = own < testTier && named.has(file);
        if (tier === -1 ? !isPreferred : own !== tier || isPreferred) continue;
        if (!isSearched(part, file)) continue;
        const path = part.segment.pathOf(file);
        if (accepted(path)) yield { path, tier: own, ...indexedAt(part, file, blocksOf(group)) };
      }
    }
  }
}

function filesNamed({ segment }: ViewPart, word: string | undefined): Set<number> {
  return new Set(word === undefined ? [] : filesWithBaseName(segment, word));
}

interface Groups {
  /** How many blocks, or files where those are the unit. */
  count: number;
  files: ArrayLike<number>;
  /** None means the whole file, which is then read in one piece. */
  blocksOf(group: number): number[];
}

function groupByFile({ segment }: ViewPart, finder: Finder): Groups {
  const { blockFile, firstBlock } = segment.tables;
  const whole = (files: ArrayLike<number>): Groups => ({ count: files.length, files, blocksOf: () => [] });
  const everyFile = (): Groups => whole(Uint32Array.from({ length: segment.entry.files }, (_, file) => file));
  if (finder.isMultiline) {
    const files = candidateFiles(finder.plan, segment);
    return files === 'all' ? everyFile() : whole(files);
  }
  const blocks = candidateBlocks(finder.plan, segment);
  if (blocks === 'all') return everyFile();
  const files: number[] = [];
  const firstOf: number[] = [];
  let last = -1;
  for (let at = 0; at < blocks.length; at++) {
    const file = blockFile[blocks[at] as number] as number;
    if (file === last) continue;
    last = file;
    files.push(file);
    firstOf.push(at);
  }
  return {
    count: blocks.length,
    files,
    blocksOf(group) {
      const file = files[group] as number;
      const own = blocks.subarray(firstOf[group], firstOf[group + 1] ?? blocks.length);
      const all = (firstBlock[file + 1] as number) - (firstBlock[file] as number);
      return own.length === all && all > 1 ? [] : Array.from(own);
    },
  };
}

function indexedAt({ segment }: ViewPart, file: number, blocks: number[]): Pick<SearchTask, 'indexed'> {
  if (blocks.length === 0) return {};
  const ranges: ReadRange[] = [];
  for (let at = 0; at < blocks.length; ) {
    // Neighbours are read together.
    let last = at;
    while (blocks[last + 1] === (blocks[last] as number) + 1) last++;
    const { offset, line } = segment.blockRange(blocks[at] as number);
    const { end } = segment.blockRange(blocks[last] as number);
    ranges.push({ offset, end, line, blocks: last - at + 1 });
    at = last + 1;
  }
  return { indexed: { stamp: segment.stampOf(file), ranges } };
}
