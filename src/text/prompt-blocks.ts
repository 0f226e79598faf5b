import type { BlockEnd, NotTyped } from '../domain/block.ts';

/**
 * Splits a prompt into blocks, and says which of them nobody typed. A block is a paragraph, or a list with everything up
 * to its heading. It is the smallest part of a prompt that may be quoted: a line or a sentence of it can say the
 * opposite of the whole. Only the form of the text counts here, never its words or its language; what an agent reported
 * about pasted and added text comes from capture.
 */
export interface PromptBlock extends Omit<BlockEnd, 'end'> {
  text: string;
}

/** The parts of a prompt that an agent reported as pasted by the user, or as added by itself. */
export interface ReportedParts {
  pasted?: string[];
  added?: string[];
}

/** A prompt as it is stored. Prompts of old events have no blocks, and are split by their form alone. */
export interface StoredPrompt {
  text: string;
  blocks?: BlockEnd[];
}

export function blocksOf({ text, blocks: stored }: StoredPrompt): PromptBlock[] {
  // A text that was changed after capture, because a secret was removed from it, no longer fits its blocks.
  const blocks = stored?.at(-1)?.end === text.length ? stored : splitPrompt(text);
  return blocks.flatMap(({ end, ...known }, at) => {
    const block = text.slice(blocks[at - 1]?.end ?? 0, end).trim();
    return block === '' ? [] : [{ text: block, ...known }];
  });
}

export const typedBlocks = (prompt: StoredPrompt): string[] =>
  blocksOf(prompt).flatMap(({ text, not }) => (not === undefined ? [text] : []));

/** The blocks that a person typed, with empty lines between them. */
export const typedText = (prompt: StoredPrompt): string => typedBlocks(prompt).join('\n\n');

/**
 * The blocks that are surely not pasted. If the agent does not record pastes, only the one of a prompt that has no other:
 * where another paragraph follows, nothing shows who wrote which. In all cases a paragraph, or a list with the lines
 * above it: below a heading and after a colon, people paste what others wrote.
 */
export function surelyTyped(prompt: StoredPrompt): string[] {
  const blocks = blocksOf(prompt);
  return blocks.flatMap(({ text, not, isRecorded }) =>
    not === undefined && (isRecorded === true || blocks.length === 1) && isPlain(text) ? [text] : [],
  );
}

function isPlain(block: string): boolean {
  const lines = block.split('\n').filter((line) => line.trim() !== '');
  const runs = runsOf(block, 0, block.length).map(({ start }) => block.slice(start));
  return (
    !lines.some(isHeading) &&
    runs.slice(1).every(isList) &&
    lines.every((line, at) => !isAnnouncing(line) || isList(lines[at + 1] ?? ''))
  );
}

/** The ends of the blocks of a prompt, in order. */
export function splitPrompt(text: string, reported: ReportedParts = {}): BlockEnd[] {
  const typed = Math.min(text.length, maxTypedLength);
  const whole = withReported([{ start: 0, end: typed }], text, reported);
  const parts = [fencesIn, elementsIn].reduce(
    (all, find) => all.flatMap((part) => cutForms(part, text, find)),
    whole,
  );
  const blocks = parts.flatMap((part) => (part.not === undefined ? paragraphs(text, part) : [part]));
  if (typed < text.length) blocks.push({ start: typed, end: text.length, not: 'output' });
  return blocks.map(({ end, not }, at) => ({
    end: at === blocks.length - 1 ? text.length : end,
    ...(not !== undefined ? { not } : reported.pasted === undefined ? {} : { isRecorded: true as const }),
  }));
}

/** Nobody types more at once. */
const maxTypedLength = 20_000;

interface Part extends Omit<BlockEnd, 'isRecorded'> {
  start: number;
}

/** Cuts the reported parts out of the text, at each place where they stand. */
function withReported(parts: Part[], text: string, { pasted = [], added = [] }: ReportedParts): Part[] {
  const wanted = [
    ...pasted.map((part) => ({ part: part.trim(), not: 'pasted' as const })),
    ...added.map((part) => ({ part: part.trim(), not: 'added' as const })),
  ].filter(({ part }) => part !== '');
  return wanted.reduce(
    (all, { part, not }) => all.flatMap((one) => (one.not === undefined ? cut(one, text, part, not) : [one])),
    parts,
  );
}

function cut({ start, end }: Part, text: string, part: string, not: NotTyped): Part[] {
  const at = text.slice(start, end).indexOf(part);
  if (at === -1) return [{ start, end }];
  const [from, to] = [start + at, start + at + part.length];
  return [{ start, end: from }, { start: from, end: to, not }, ...cut({ start: to, end }, text, part, not)];
}

/** Cuts out what goes over empty lines. */
function cutForms(part: Part, text: string, find: (text: string) => Iterable<Part>): Part[] {
  if (part.not !== undefined) return [part];
  const parts: Part[] = [];
  let from = part.start;
  for (const found of find(text.slice(part.start, part.end))) {
    const [start, end] = [part.start + found.start, part.start + found.end];
    if (start < from) continue;
    parts.push({ start: from, end: start }, { ...found, start, end });
    from = end;
  }
  return [...parts, { start: from, end: part.end }];
}

/** From ``` or ~~~ to the same mark, or to the end. */
const fencesIn = (text: string): Part[] =>
  [...text.matchAll(/^[ \t]*(`{3,}|~{3,})[^\n]*(?:\n[\s\S]*?(?:^[ \t]*\1[`~]*[ \t]*$|(?![\s\S]))|$)/gm)].map(
    ({ 0: whole, index }) => ({ start: index, end: index + whole.length, not: 'code' }),
  );

/** Elements of markup that begin a line or go over several. One inside a line belongs to its sentence. */
function* elementsIn(text: string): Generator<Part> {
  const unclosed = new Set<string>();
  for (const { 0: open, 1: name = '', index } of text.matchAll(/<([a-z][\w.:-]*)(?:\s[^<>]*)?>/gi)) {
    const mark = `</${name}>`;
    const at = unclosed.has(mark) ? -1 : text.indexOf(mark, index + open.length);
    if (at === -1) unclosed.add(mark);
    const isFirst = /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, index - 80), index));
    if (at !== -1 && (isFirst || text.slice(index, at).includes('\n')))
      yield { start: index, end: at + mark.length, not: 'markup' };
  }
}

/** Splits a part without fences and elements into paragraphs, and joins those whose meaning depends on each other. */
function paragraphs(text: string, { start, end }: Part): Part[] {
  const blocks: Part[] = [];
  // What follows a heading or a colon belongs to it: under "Never do" each line would say the opposite alone.
  let [isUnderHeading, isAnnounced, isMail] = [false, false, false];
  const runs = runsOf(text, start, end);
  for (const run of runs) {
    const last = blocks.at(-1);
    const own = text.slice(run.start, run.end);
    isMail ||= run.not === 'mail';
    // Where a mail ends nobody knows. Its last paragraph may be what the person wants of it.
    const isOfMail = isMail && (run !== runs.at(-1) || run.not === 'mail');
    const not = isOfMail ? 'mail' : (run.not ?? (quoted.test(own) ? 'quote' : undefined));
    if (isHeading(own)) [isUnderHeading, isAnnounced] = [false, false];
    const isSame = not !== undefined || isUnderHeading || isAnnounced || isList(own);
    if (isSame && last !== undefined && last.not === not) last.end = run.end;
    else blocks.push({ start: run.start, end: run.end, ...(not === undefined ? {} : { not }) });
    isUnderHeading = not === undefined && (isUnderHeading || isHeading(own));
    isAnnounced = not === undefined && (isAnnouncing(own) || (isAnnounced && !isList(own)));
  }
  return blocks;
}

const quoted = /^\s*(?:"[^"]*"|“[^”]*”|«[^»]*»|„[^“”]*[“”]|「[^」]*」)\s*$/u;
const isHeading = (block: string): boolean =>
  /^\s*(?:#{1,6}\s|\*\*[^*\n]+\*\*:?[ \t]*$)/m.test(firstLine(block));
const isAnnouncing = (block: string): boolean => /[:：]\s*[*_`"”»)]*\s*$/u.test(block);
const listItem = /^[ \t]*(?:[-*•・]|\d{1,3}[.)、．]|[a-z][.)])[ \t]*\S/u;
const isList = (block: string): boolean => listItem.test(firstLine(block));
const firstLine = (block: string): string => block.trimStart().split('\n', 1)[0] ?? '';

/** Lines up to the next empty line, or up to a line of another form. */
function runsOf(text: string, start: number, end: number): Part[] {
  const runs: Part[] = [];
  let [at, isOpen] = [start, false];
  for (const line of text.slice(start, end).split(/(?<=\n)/)) {
    const from = at;
    at += line.length;
    const last = runs.at(-1);
    if (line.trim() === '') {
      isOpen = false;
      continue;
    }
    const not = formOf(
      line,
      text.slice(from, Math.min(end, from + maxHeadersLength)),
      isOpen ? last : undefined,
    );
    if (isOpen && last !== undefined && last.not === not) last.end = at;
    else runs.push({ start: from, end: at, ...(not === undefined ? {} : { not }) });
    isOpen = true;
  }
  return runs;
}

/** `last` is the run that the line goes on, if no empty line separates them. */
function formOf(line: string, rest: string, last: Part | undefined): NotTyped | undefined {
  if (/^\s*>/.test(line)) return 'quote';
  if (mailHeaders.test(rest)) return 'mail';
  if (yaml.test(rest) || printed.some((form) => form.test(line))) return 'output';
  // What follows a printed line goes on until an empty one.
  if (last?.not === 'output') return 'output';
  // An indented line goes on with a sentence or an item of a list. After an empty line it is quoted.
  const isIndented = /^(?: {4}|\t)/.test(line) && !listItem.test(line);
  return isIndented && (last === undefined || last.not === 'code') ? 'code' : undefined;
}

const maxHeadersLength = 1_000;

/** Two header lines of a mail, one of them with an address or a subject. */
const mailHeaders =
  /^(?:[^\S\n]*[\p{L}-]{1,20}[:：][^\S\n][^\n]+\n){0,3}[^\S\n]*[\p{L}-]{1,20}[:：][^\S\n][^\n]*<?[\w.+-]+@[\w-]+\.[\w.]+>?[^\S\n]*\n[^\S\n]*[\p{L}-]{1,20}[:：][^\S\n]/u;

/** A key with a key or a comment below it. */
const yaml = /^[ \t]*[\w.-]+:[ \t]*\n[ \t]+(?:[\w.-]+:(?:[ \t]|\n|$)|#)/;

/** Lines that programs print and nobody types, by their form. */
const printed = [
  // Stack frames and places in files.
  /^\s*(?:at\s.*[:)]\d*\)?|File ".*", line \d+.*)\s*$/,
  /^\s*(?!@)\S+\.\w{1,5}(?::\d+:|\(\d+,\d+\):)/,
  /^\s*(?:[\w.]*[A-Z]\w*(?:Error|Exception|Warning)|Traceback[^:]*)(?:\s*[[(][^\])]*[\])])?:/,
  // Times at the beginning of a line, or after a name.
  /^\s*\[?(?:\d{4}-\d\d-\d\d[T ]\d|\d\d:\d\d:\d\d)/,
  /^\s*[\p{L}\w.@-]+(?: [\p{L}\w.-]+)?\s+(?:\[|\(|—\s*)?(?:[Tt]oday at |[Yy]esterday at )?\d{1,2}:\d\d(?:\s?[AP]M)?[\])]?\s*:?\s*$/u,
  /^\s*\[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|trace|debug|info|warn|error|fatal)\]?\s*[:\]|]/,
  // Shell prompts, patches, JSON, trees and tables.
  /^\s*(?:[$❯➜»]\s|\S+@\S+[:~][^\s]*[$#]\s)/,
  /^(?:@@ |\+(?!\d)|--- |diff --git |index [0-9a-f]{7})/,
  /^\s*(?:[{}[\]],?\s*$|"[^"]*"\s*:|<\/?[\w-]+>?\s*$)/,
  /^\s*(?:[│├└┌╭╰✓✗✔✘⎿×]|\|.*\|\s*$)/,
];
