import { hashId } from '../base/hash.ts';
import { randomHex } from '../base/ids.ts';
import { cutLine } from './cut-line.ts';

/**
 * Remembered text is data. It is cleaned of what could pass for anything else, and put between marks that
 * capture recognises, so that it never comes back as a new memory.
 */
export const fenceTag = 'backstory-memory';

/**
 * Text between marks that end in a boundary which whoever wrote the text could not know. It is random where
 * nothing speaks against it; what must keep its bytes takes it from all of its content.
 */
export function fence(attributes: string, lines: string[], boundary: string): string {
  return [fenceOpen(attributes, boundary), ...lines, fenceClose(boundary)].join('\n');
}

export const fenceOpen = (attributes: string, boundary: string): string =>
  `<${fenceTag}-${boundary} ${attributes}>`;
export const fenceClose = (boundary: string): string => `</${fenceTag}-${boundary}>`;

export const randomBoundary = (): string => randomHex(4);
export const boundaryOf = (...content: string[]): string => hashId(...content).slice(0, 8);

/** The mark that a fenced text ends with; empty where there is none. */
export const fenceEndOf = (text: string): string =>
  new RegExp(`</${fenceTag}-[0-9a-f]{8}>$`).exec(text)?.[0] ?? '';

const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const escapes = /\u001b(?:\[[0-9;?]*[A-Za-z]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?)/g;
const invisible = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;
const speakingTags =
  /<(?=\s*(?:\/\s*)?(?:backstory|system|assistant|human|user|tool|function|antml|hook|command|task|local-command)[\w:-]*)/gi;

export function harmless(text: string): string {
  return text
    .toWellFormed()
    .replace(escapes, '')
    .replace(controls, '')
    .replace(invisible, '')
    .replace(speakingTags, '‹');
}

/** One line of at most `limit` characters. */
export function harmlessLine(text: string, limit: number): string {
  const line = harmless(text).replace(/\s+/g, ' ').trim();
  return cutLine(line, limit);
}
