import { hashId } from '../base/hash.ts';
import { randomHex } from '../base/ids.ts';
import { breakChatMarkers } from './chat-markers.ts';
import { dropHidden } from './hidden-characters.ts';
import { dropTerminalEscapes } from './terminal-escapes.ts';
import { truncateLine } from './truncate-line.ts';

/**
 * The tag around remembered text that is given to an agent. Remembered text is data, not instructions, so it is
 * sanitised and fenced in. Capture recognises the tag and never stores the fenced text as a new memory.
 */
export const fenceTag = 'backstory-memory';

/**
 * Wraps lines in tags that contain a boundary which the author of the text could not know, so the text cannot close
 * the fence itself. Use `randomBoundary`, or `boundaryOf` the whole content if the output must be reproducible.
 */
export function fence(attributes: string, lines: string[], boundary: string): string {
  return [fenceOpen(attributes, boundary), ...lines, fenceClose(boundary)].join('\n');
}

export const fenceOpen = (attributes: string, boundary: string): string =>
  `<${fenceTag}-${boundary} ${attributes}>`;
export const fenceClose = (boundary: string): string => `</${fenceTag}-${boundary}>`;

export const randomBoundary = (): string => randomHex(4);
export const boundaryOf = (...content: string[]): string => hashId(...content).slice(0, 8);

/** The closing tag at the end of a fenced text; empty if there is none. */
export const fenceEndOf = (text: string): string =>
  new RegExp(`</${fenceTag}-[0-9a-f]{8}>$`).exec(text)?.[0] ?? '';

/** Removes hidden characters and terminal escapes. Used for text that people read and may edit afterwards. */
export const readable = (text: string): string => dropHidden(dropTerminalEscapes(text));

/** Remembered text for an agent or a terminal: `readable`, with chat markers made inert. */
export const harmless = (text: string): string => breakChatMarkers(readable(text));

/** Returns the text, made harmless, as one line of at most `limit` characters. */
export function harmlessLine(text: string, limit: number): string {
  const line = harmless(text).replace(/\s+/g, ' ').trim();
  return truncateLine(line, limit);
}
