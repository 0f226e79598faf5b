import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findCheckoutFile, readCheckoutText } from '../base/checkout-file.ts';
import type { CodeSymbol } from '../code/symbols/symbol.ts';
import type { Place } from '../domain/project.ts';
import { fileLines } from '../text/file-lines.ts';
import { type FileStory, fileStory } from '../why/file-story.ts';
import type { LspParts } from './parts.ts';

/** A file on disk with the backstory of its lines. */
export interface OpenStory {
  place: Place;
  path: string;
  lines: string[];
  story: FileStory;
  symbols: readonly CodeSymbol[];
}

interface Kept {
  /** Commit and state of the file for which the story was made. */
  version: string;
  /** End of the event log at that time. */
  memory: string;
  made: Promise<OpenStory | undefined>;
}

const maxBytes = 2 * 1024 * 1024;
const maxLines = 10_000;
const parseTimeoutMs = 5_000;

/**
 * Keeps one story for each open file. If the file or HEAD has changed, the next request waits for a new one. If only
 * the memory has grown, that request is answered from the old story while a new one is made.
 */
export function createStories(parts: LspParts, onRefresh: () => void) {
  const kept = new Map<string, Kept>();
  const find = (uri: string) => {
    const file = uri.startsWith('file:') ? fileURLToPath(uri) : '';
    const place = file === '' ? undefined : parts.place(dirname(file));
    const found = place && findCheckoutFile(place.root, file);
    return found && { place, path: found.relativePath, version: JSON.stringify([place.head, found.stamp]) };
  };
  const endOf = (place: Place): string => JSON.stringify(parts.memory(place.project).log.end());
  return {
    async of(uri: string): Promise<OpenStory | undefined> {
      const file = find(uri);
      if (file === undefined) return undefined;
      const memory = endOf(file.place);
      const known = kept.get(uri);
      if (known?.version === file.version) {
        if (known.memory === memory) return known.made;
        known.memory = memory;
        makeStory(parts, file.place, file.path).then(
          (story) => {
            known.made = Promise.resolve(story);
            onRefresh();
          },
          () => kept.delete(uri),
        );
        return known.made;
      }
      const made = makeStory(parts, file.place, file.path);
      kept.set(uri, { version: file.version, memory, made });
      made.catch(() => kept.delete(uri));
      return made;
    },
    close: (uri: string): void => void kept.delete(uri),
  };
}

async function makeStory(parts: LspParts, place: Place, path: string): Promise<OpenStory | undefined> {
  const { root, project } = place;
  const text = readCheckoutText(root, path, maxBytes);
  if (text === undefined || text.includes('\0')) return undefined;
  const lines = fileLines(text);
  if (lines.length > maxLines) return undefined;
  const code = parts.code(root);
  const story = await fileStory(
    { parts: parts.memory(project), root },
    { path, lines },
    { now: parts.clock.now(), code },
  );
  return { place, path, lines, story, symbols: (await code.symbols?.(path, text, parseTimeoutMs)) ?? [] };
}
