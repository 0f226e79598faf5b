import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../../test/harness/random.ts';

interface SecretItem {
  id: string;
  /** How it is sent; `env` also has a file of the checkout. */
  channel: string;
  class: string;
  text: string;
  secret: string;
}

interface InnocentItem {
  id: string;
  text: string;
}

/**
 * Secrets and harmless texts in the forms that agents send, written without knowledge of the redaction rules. The
 * secrets are only described (`ghp_<A36>`) and filled from the seed, so that none is in the repository.
 */
interface IndependentSet {
  secrets: SecretItem[];
  innocent: InnocentItem[];
}

export const readIndependentSet = (): IndependentSet =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'independent-set.json'), 'utf8')) as IndependentSet;

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
const fillMarks = (marked: string, random: Random): string =>
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
