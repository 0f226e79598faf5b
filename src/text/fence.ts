import { hashId } from '../base/hash.ts';
import { randomHex } from '../base/ids.ts';
import { dropHidden } from './hidden-characters.ts';
import { truncateLine } from './truncate-line.ts';

/**
 * The tag around remembered text that is given to an agent. Remembered text is data, not instructions, so it is
 * sanitised and fenced in. Capture recognises the tag and never stores the fenced text as a new memory.
 */
export const fenceTag = 'backstory-memory';

/**
 * Tags with a boundary that the author of the text could not know, so that it cannot close the fence. Use
 * `randomBoundary`, or `boundaryOf` the content for reproducible output.
 */
export function fence(attributes: string, lines: string[], boundary: string): string {
  return [fenceOpen(attributes, boundary), ...lines, fenceClose(boundary)].join('\n');
}

export const fenceOpen = (attributes: string, boundary: string): string =>
  `<${fenceTag}-${boundary} ${attributes}>`;
export const fenceClose = (boundary: string): string => `</${fenceTag}-${boundary}>`;

export const randomBoundary = (): string => randomHex(4);
export const boundaryOf = (...content: string[]): string => hashId(...content).slice(0, 8);

export const fenceEndOf = (text: string): string =>
  new RegExp(`</${fenceTag}-[0-9a-f]{8}>$`).exec(text)?.[0] ?? '';

/** Removes hidden characters and terminal escapes. Used for text that people read and may edit afterwards. */
export const readable = (text: string): string => dropHidden(dropTerminalEscapes(text));

/** Remembered text for an agent or a terminal: `readable`, with chat markers made inert. */
export const harmless = (text: string): string => breakChatMarkers(readable(text));

/** Harmless, as one line of at most `limit` characters. */
export function harmlessLine(text: string, limit: number): string {
  const line = harmless(text).replace(/\s+/g, ' ').trim();
  return truncateLine(line, limit);
}

/**
 * Terminal control sequences with a 7-bit or 8-bit introducer. A string sequence (OSC, DCS, SOS, PM, APC) is matched
 * only if it is terminated on its line, so an unterminated one does not swallow the text that follows.
 */
const control = String.raw`(?:\u001b\[|\u009b)[0-?]*[ -\/]*[@-~]`;
const string = String.raw`(?:\u001b[PX\]^_]|[\u0090\u0098\u009d-\u009f])[^\u0000-\u0008\u000a-\u001f\u007f-\u009f]*(?:\u0007|\u001b\\|\u009c)`;
const short = String.raw`\u001b[ -\/]*[0-Z\\^-~]`;
const sequences = new RegExp(`${control}|${string}|${short}`, 'g');

const dropTerminalEscapes = (text: string): string =>
  text.includes('\u001b') || /[\u0080-\u009f]/.test(text) ? text.replace(sequences, '') : text;

/** Changes every string of a JSON value, keys included. An object with a `toJSON` method is kept. */
export function mapStrings<T>(value: T, change: (text: string) => string): T {
  const visit = (part: unknown): unknown => {
    if (typeof part === 'string') return change(part);
    if (Array.isArray(part)) return part.map(visit);
    if (typeof part !== 'object' || part === null) return part;
    if ('toJSON' in part && typeof part.toJSON === 'function') return part;
    return Object.fromEntries(Object.entries(part).map(([key, own]) => [change(key), visit(own)]));
  };
  return visit(value) as T;
}

/**
 * Markers by which chat templates separate roles and turns. Remembered text must not be able to open a turn, so their
 * brackets are replaced by similar characters without meaning: `<|im_start|>` becomes `‹|im_start|›`.
 *
 * Only names that a template uses are replaced. `f <| g |> h` and `Array<|x|>` are code and stay unchanged.
 */
const tags =
  'backstory|system|assistant|human|user|tool|function|antml|hook|command|task|local-command|start_of_turn|end_of_turn|think(?:ing)?\\b|bos\\b|eos\\b';

/** `<system-reminder>`, `</tool_call>`, `<start_of_turn>`. The name may have a suffix, and spaces may precede it. */
const tagOpening = new RegExp(String.raw`<(?=\s*(?:\/\s*)?(?:${tags})[\w:-]*)`, 'gi');
/** `<|im_start|>`, `<|eot_id|>`, `<｜begin▁of▁sentence｜>`. */
const barred = (): RegExp => /<(\s*[|｜]\s*\/?[\p{L}_▁][\p{L}\p{N}_▁.:-]+\s*[|｜]\s*)>/gu;
/** `[INST]`, `[/INST]`, `[SYSTEM_PROMPT]`, `[TOOL_CALLS]`. */
const bracketed = /\[(\s*\/?\s*(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\s*)\]/gi;
/** `<<SYS>>`, `<</SYS>>`. */
const doubled = /<<(\s*\/?\s*SYS\s*)>>/gi;
/** `<s>` and `</s>`. Directly after a name, `<s>` is a type argument, as in `Array<s>`. */
const sentence = /(?<!\w)<(s)>|<(\/s)>/gi;
/** `Human:` and `Assistant:` at the beginning of a line. */
const turn = /^([ \t]*)(human|assistant)(?=[ \t]*:)/gim;

const maybeMarker = /[<[]|(?:human|assistant)[ \t]*:/i;

const breakChatMarkers = (text: string): string => (maybeMarker.test(text) ? withoutMarkers(text) : text);

const withoutMarkers = (text: string): string =>
  text
    .replace(doubled, '‹‹$1››')
    .replace(barred(), '‹$1›')
    .replace(bracketed, '‹$1›')
    .replace(sentence, '‹$1$2›')
    .replace(tagOpening, '‹')
    .replace(turn, '$1‹$2›');
