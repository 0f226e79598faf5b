import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../../test/harness/random.ts';

export const channels = [
  'prompt',
  'bash-input',
  'bash-output',
  'tool-failure',
  'write',
  'path',
  'answer',
  'commit',
  'env',
] as const;
export type Channel = (typeof channels)[number];

export interface SecretItem {
  id: string;
  channel: Channel;
  class: string;
  language: string;
  text: string;
  secret: string;
}

export interface InnocentItem {
  id: string;
  channel: Channel;
  text: string;
}

/**
 * Secrets and harmless texts in the forms that agents send, written without knowledge of the redaction rules. The
 * secrets are only described (`ghp_<A36>`) and filled from the seed, so that none is in the repository.
 */
export interface IndependentSet {
  secrets: SecretItem[];
  innocent: InnocentItem[];
}

export const independentFile = join(import.meta.dirname, 'independent-set.json');

export const readIndependentSet = (path = independentFile): IndependentSet | undefined =>
  existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as IndependentSet) : undefined;

const lower = 'abcdefghijklmnopqrstuvwxyz';
const upper = lower.toUpperCase();
const digits = '0123456789';
const alphabets: Record<string, string> = {
  A: lower + upper + digits,
  a: lower,
  h: `${digits}abcdef`,
  H: `${digits}ABCDEF`,
  d: digits,
  U: upper + digits,
  B: `${lower}${upper}${digits}+/`,
  W: `${lower}${upper}${digits}_-`,
};

/** Replaces `<A36>` by 36 letters and digits; everything else stays. */
export const fillMarks = (marked: string, random: Random): string =>
  marked.replace(/<([AahHdUBW])(\d+)>/g, (_, kind: string, count: string) => {
    const alphabet = alphabets[kind] as string;
    return Array.from({ length: Number(count) }, () => random.pick([...alphabet])).join('');
  });

export interface Filled extends SecretItem {
  /** Strings that must not be found anywhere: the secret, and the forms of it in the text. */
  traces: string[];
}

export function fillItem(item: SecretItem, random: Random): Filled {
  const secret = fillMarks(item.secret, random);
  const forms: string[] = [];
  const form = (text: string): string => {
    forms.push(text);
    return text;
  };
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const text = item.text
    .replace(/\{\{base64:([\s\S]*?\{\{secret\}\}[\s\S]*?)\}\}(?!\})/g, (_, inner: string) =>
      form(base64(inner.replaceAll('{{secret}}', secret))),
    )
    .replaceAll(/\{\{secret\|base64\}\}/g, () => form(base64(secret)))
    .replaceAll(/\{\{secret\|fullwidth\}\}/g, () => form(fullwidth(secret)))
    .replaceAll(/\{\{secret\|ansi\}\}/g, () => form(coloured(secret)))
    .replaceAll('{{secret}}', () => secret);
  return { ...item, secret, text, traces: [secret, ...forms].flatMap(spellings) };
}

const fullwidth = (text: string): string =>
  text.replace(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0));

function coloured(text: string): string {
  const half = Math.ceil(text.length / 2);
  return `\u001b[31m${text.slice(0, half)}\u001b[32m${text.slice(half)}\u001b[0m`;
}

/** The text itself, and as in JSON. */
const spellings = (text: string): string[] => [...new Set([text, JSON.stringify(text).slice(1, -1)])];
