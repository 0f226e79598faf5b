import { readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { bareName } from '../../src/code/symbols/names.ts';
import type { CodeSymbol } from '../../src/code/symbols/symbol.ts';
import { createSymbolReader, type SymbolReader } from '../../src/code/symbols/symbol-reader.ts';
import { atLeast, type Bar, type Evaluation, exactly, round } from '../../test/harness/evaluation.ts';
import { createRandom } from '../../test/harness/random.ts';
import { askDefinitions } from './ask.ts';
import { runCtags, type Tag } from './ctags.ts';
import { type Sample, sampleTrees } from './trees.ts';

const grammars = join(import.meta.dirname, '../../assets/grammars');

/** The kinds that people search for by name; fields and variables are counted separately. */
const main = new Set([
  'module',
  'class',
  'interface',
  'struct',
  'union',
  'trait',
  'enum',
  'type',
  'function',
  'method',
  'constructor',
  'macro',
  // Names of the same kinds in ctags.
  'namespace',
  'typedef',
  'alias',
  'func',
  'talias',
  'methodSpec',
  'singletonMethod',
  'generator',
  'annotation',
  'typealias',
  'record',
  'delegate',
]);

export const symbols: Evaluation = {
  name: 'symbols',
  summary: 'Definitions in real trees compared with universal-ctags, by language; names looked up over MCP.',
  async run({ isShort, seed, histories }) {
    if (histories === undefined) throw new Error('say where public histories lie: --histories DIR');
    const reader = createSymbolReader(grammars, systemClock);
    const samples = sampleTrees(histories, createRandom(seed), isShort ? 12 : 60);
    const figures: Record<string, number> = {};
    const bars: Record<string, Bar> = {};
    let [n, broken, unparsed, ownMs, ctagsMs] = [0, 0, 0, 0, 0];
    for (const sample of samples) {
      const found = await compare(sample, reader);
      n += sample.files.length;
      broken += found.broken;
      unparsed += found.unparsed;
      ownMs += found.ownMs;
      ctagsMs += found.ctagsMs;
      const { language, split } = sample;
      const label = `${language} ${split}`;
      figures[`${label} files`] = sample.files.length;
      figures[`${label} recall`] = found.recall;
      figures[`${label} precision`] = found.precision;
      figures[`${label} fields recall`] = found.fieldsRecall;
      figures[`${label} ctags quirks`] = found.quirks;
      figures[`${label} same end`] = found.sameEnd;
      figures[`${label} ms per file`] = round(found.ownMs / sample.files.length);
      figures[`${label} ctags ms per file`] = round(found.ctagsMs / sample.files.length);
      if (split === 'dev')
        writeFileSync(
          join(homedir(), '.cache', 'backstory-eval', `symbols-${language}-dev.txt`),
          found.disagreements.join('\n'),
        );
      if (split === 'held') bars[`${language} recall`] = atLeast(found.recall, 0.9);
    }
    figures['cpu ms per file'] = round(ownMs / n);
    figures['ctags cpu ms per file'] = round(ctagsMs / n);
    const definitions = await askDefinitions(histories, createRandom(seed), isShort);
    Object.assign(figures, definitions.figures);
    bars.definitionsFound = atLeast(round(definitions.found / definitions.n), 0.95);
    bars.brokenSpans = exactly(broken, 0);
    bars.unparsed = exactly(unparsed, 0);
    return { n: n + definitions.n, figures, bars };
  },
};

interface Compared {
  recall: number;
  precision: number;
  fieldsRecall: number;
  sameEnd: number;
  broken: number;
  unparsed: number;
  /** Tags that ctags reports although they are not definitions (see `isQuirk` in ctags.ts). They do not count. */
  quirks: number;
  ownMs: number;
  ctagsMs: number;
  disagreements: string[];
}

async function compare({ language, files }: Sample, reader: SymbolReader): Promise<Compared> {
  const { tags, quirks, cpuMs: ctagsMs } = runCtags(language, files);
  const byFile = Map.groupBy(tags, ({ path }) => path);
  const count = {
    tags: 0,
    tagsFound: 0,
    own: 0,
    ownFound: 0,
    fields: 0,
    fieldsFound: 0,
    ends: 0,
    sameEnds: 0,
  };
  let [broken, unparsed, ownMs] = [0, 0, 0];
  const messages: string[] = [];
  for (const path of files) {
    const before = process.cpuUsage();
    const text = readFileSync(path, 'utf8');
    const { symbols: own, how } = await reader.symbolsOf(path, text, Number.POSITIVE_INFINITY);
    const used = process.cpuUsage(before);
    ownMs += (used.user + used.system) / 1000;
    if (how !== 'parsed') unparsed++;
    broken += own.filter((symbol) => !isSound(symbol, text)).length;
    const theirs = byFile.get(path) ?? [];
    for (const tag of theirs.filter(({ isQuirk }) => !isQuirk)) {
      const match = own.find((symbol) => isSame(symbol, tag));
      const kind = main.has(tag.kind) ? 'tags' : 'fields';
      count[kind]++;
      if (match !== undefined) count[`${kind}Found`]++;
      else messages.push(`only ctags: ${path}:${tag.line} ${tag.kind} ${tag.name}`);
      if (match === undefined || tag.end === undefined || tag.end === tag.line) continue;
      count.ends++;
      if (match.endLine === tag.end) count.sameEnds++;
    }
    for (const symbol of own.filter(({ kind }) => main.has(kind))) {
      count.own++;
      if (theirs.some((tag) => isSame(symbol, tag))) count.ownFound++;
      else messages.push(`only here: ${path}:${symbol.line} ${symbol.kind} ${symbol.name}`);
    }
  }
  const share = (part: number, all: number): number =>
    all === 0 ? 1 : Math.round((part / all) * 1000) / 1000;
  return {
    recall: share(count.tagsFound, count.tags),
    precision: share(count.ownFound, count.own),
    fieldsRecall: share(count.fieldsFound, count.fields),
    sameEnd: share(count.sameEnds, count.ends),
    broken,
    unparsed,
    quirks,
    ownMs,
    ctagsMs,
    disagreements: messages,
  };
}

/**
 * Compares a symbol with a tag. Our line is that of the name; ctags may report the line of the first word of the
 * definition.
 */
const isSame = (symbol: CodeSymbol, tag: Tag): boolean =>
  plain(symbol.name) === plain(tag.name) &&
  tag.line >= symbol.startLine &&
  Math.abs(tag.line - symbol.line) <= 3;

const plain = (name: string): string =>
  bareName(name.replace(/\s+/g, ''))
    .split(/::|\\|\./)
    .at(-1) ?? '';

/** Whether the name is at the reported position, within the lines of the definition. */
function isSound({ name, startLine, endLine, line, column }: CodeSymbol, text: string): boolean {
  const lines = text.split('\n');
  const there = (lines[line - 1] ?? '').slice(column - 1);
  const begins = name.split(' ')[0] as string;
  const isThere = there.replace(/^[:'"`]/, '').startsWith(begins);
  return isThere && startLine <= line && line <= endLine && endLine <= lines.length;
}
