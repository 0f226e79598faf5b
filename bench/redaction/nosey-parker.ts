import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { parse } from 'yaml';

/**
 * An example from the rule files of Nosey Parker, a secret scanner. The project is in no registry, so its `rules`
 * folder is read from `--data`. It is not part of this repository.
 */
export interface NoseyParkerExample {
  rule: string;
  /** True for the half of the rules, chosen by name, that authors of redaction rules may read. */
  isShown: boolean;
  text: string;
  /** What the rule's own pattern captures; empty if the pattern cannot be expressed in JavaScript. */
  secrets: Capture[];
}

interface Capture {
  secret: string;
  /** The text around the capture. */
  elsewhere: string;
}

interface RuleFile {
  rules?: { id: string; pattern: string; categories?: string[]; examples?: string[] }[];
}

export function noseyParkerExamples(folder: string): NoseyParkerExample[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yml'))
    .flatMap((name) => (parse(readFileSync(join(folder, name), 'utf8')) as RuleFile).rules ?? [])
    .filter(({ categories }) => categories?.includes('secret') === true)
    .flatMap(({ id, pattern, examples = [] }) => {
      const own = toJavaScript(pattern);
      return examples.map((text) => ({ rule: id, isShown: isShown(id), text, secrets: captured(text, own) }));
    });
}

const isShown = (id: string): boolean => (createHash('sha256').update(id).digest()[0] as number) % 2 === 0;

/** The folder itself, or that of a checkout of the project. */
export const noseyParkerFolder = (data: string): string | undefined =>
  [
    join(data, 'noseyparker', 'rules'),
    join(data, 'crates', 'noseyparker', 'data', 'default', 'builtin', 'rules'),
    join(data, 'noseyparker', 'crates', 'noseyparker', 'data', 'default', 'builtin', 'rules'),
  ].find((folder) => existsSync(folder));

/** The patterns are written for an engine without backtracking; in JavaScript some would not end. */
const patternTimeoutMs = 200;

function captured(text: string, pattern: RegExp | undefined): Capture[] {
  let match = null as RegExpExecArray | null;
  try {
    if (pattern !== undefined)
      match = runInNewContext(
        'pattern.exec(text)',
        { pattern, text },
        { timeout: patternTimeoutMs },
      ) as RegExpExecArray | null;
  } catch {
    // The pattern timed out. Without captures, the example counts as found if anything in it was redacted.
  }
  const [whole, ...groups] = match?.indices ?? [];
  // A group that did not match has no indices, contrary to its type.
  const long = (groups as ([number, number] | undefined)[]).filter(
    (group) => group !== undefined && group[1] - group[0] >= 4,
  ) as [number, number][];
  return (long.length > 0 ? long : whole === undefined ? [] : [whole]).map(([start, end]) => ({
    secret: text.slice(start, end),
    elsewhere: `${text.slice(0, start)}\0${text.slice(end)}`,
  }));
}

/** Converts a pattern of Nosey Parker, which uses the extended syntax of another regex engine. */
function toJavaScript(pattern: string): RegExp | undefined {
  const flags = /\(\?x?i|\(\?[a-z]*i/.test(pattern) ? 'i' : '';
  const isExtended = /\(\?[a-z]*x/.test(pattern);
  let source = pattern.replace(/\(\?#[^)]*\)/g, '').replace(/^\s*(?:\(\?[a-z]+\)\s*)+/, '');
  if (isExtended) source = withoutSpace(source);
  try {
    return new RegExp(
      source
        .replaceAll('\\z', '$')
        .replaceAll('\\A', '^')
        .replaceAll(/\(\?[a-z]+\)/g, '')
        .trim(),
      `${flags}ds`,
    );
  } catch {
    return undefined;
  }
}

function withoutSpace(source: string): string {
  let clean = '';
  let isInClass = false;
  for (let at = 0; at < source.length; at++) {
    const char = source[at] as string;
    if (char === '\\') {
      clean += char + (source[++at] ?? '');
      continue;
    }
    if (char === '[') isInClass = true;
    if (char === ']') isInClass = false;
    if (!isInClass && char === '#') {
      while (at < source.length && source[at] !== '\n') at++;
      continue;
    }
    if (isInClass || !/\s/.test(char)) clean += char;
  }
  return clean;
}
