import { hashId } from '../base/hash.ts';
import { randomHex } from '../base/ids.ts';
import { breakChatMarkers } from './chat-markers.ts';
import { dropHidden } from './hidden-characters.ts';
import { dropTerminalEscapes } from './terminal-escapes.ts';
import { truncateLine } from './truncate-line.ts';

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

/** Text without what a reader cannot see or a terminal would act on; for people, who may go on to edit it. */
export const readable = (text: string): string => dropHidden(dropTerminalEscapes(text));

/** Remembered text for an agent or a terminal: readable, and nothing in it passes for the start of somebody's turn. */
export const harmless = (text: string): string => breakChatMarkers(readable(text));

/** One line of at most `limit` characters. */
export function harmlessLine(text: string, limit: number): string {
  const line = harmless(text).replace(/\s+/g, ' ').trim();
  return truncateLine(line, limit);
}
