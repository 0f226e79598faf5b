import { definedName } from '../words/defined-name.ts';

/** A part of a file of about one definition, with the comment above it. Lines count from 1, both ends inclusive. */
export interface DefinitionChunk {
  from: number;
  to: number;
  text: string;
  names: DefinedName[];
}

export interface DefinedName {
  name: string;
  line: number;
  /** True for classes, traits, modules and the like: a question that names one is usually about all of it. */
  isType: boolean;
}

/** Definitions shorter than this share a chunk with their neighbours; longer ones are cut. */
const minLines = 8;
const maxLines = 60;
/** A comment, decorator or attribute, which belongs to the definition below it. */
const leadingLine = /^\s*(?:\/\/|\/\*|\*|#(?!\s*define|\s*include)|--|@|"""|'''|%|;|\{-|\||template\b|\[)/;
const typeKeyword =
  /\b(?:class|struct|enum|union|interface|trait|type|typedef|protocol|record|object|defmodule|module|newtype|data)\b/;

/** Cuts a text at its definitions, by the look of its lines, so that it works for every language. */
export function definitionChunks(text: string): DefinitionChunk[] {
  const lines = text.split('\n');
  const names = lines.flatMap((line, at): DefinedName[] => {
    const name = definedName(line);
    return name === undefined ? [] : [{ name, line: at + 1, isType: typeKeyword.test(line) }];
  });
  const chunks: DefinitionChunk[] = [];
  let from = 0;
  const cutAt = (end: number): void => {
    const part = lines.slice(from, end);
    if (part.some((line) => line.trim() !== '')) {
      const own = names.filter(({ line }) => line > from && line <= end);
      chunks.push({ from: from + 1, to: end, text: part.join('\n'), names: own });
    }
    from = end;
  };
  const cutLongParts = (end: number): void => {
    while (end - from > maxLines) cutAt(from + maxLines);
  };
  for (const { line } of names) {
    let start = line - 1;
    while (start > from && leadingLine.test(lines[start - 1] as string)) start--;
    cutLongParts(start);
    if (start - from >= minLines) cutAt(start);
  }
  cutLongParts(lines.length);
  cutAt(lines.length);
  return chunks;
}
