import type { MemorySource } from '../../domain/memory.ts';
import type { CachedMemory, TeamMemory } from './team.ts';

/** Sources that laptops keep a copy of, beside the notes, which are synced as notes. */
export const cachedSources: MemorySource[] = ['issue', 'comment', 'job'];
/** Bounds of the copy: the newest memories, and the start of each text. A prompt waits while it is read. */
export const maxCachedMemories = 300;
export const maxCachedTextLength = 2_000;

const maxListed = 50;
const maxNameLength = 80;

export function teamMemoryOf(memory: TeamMemory, maxTextLength = maxCachedTextLength): CachedMemory {
  const {
    documentId: id,
    revision,
    source,
    sourceRef,
    kind,
    updated,
    files,
    issues,
    metadata,
    text,
  } = memory;
  return {
    id,
    revision,
    source,
    sourceRef,
    kind,
    author: authorOf(memory).slice(0, maxNameLength),
    updated,
    files: files.slice(0, maxListed),
    issues: issues.slice(0, maxListed),
    ...(typeof metadata.issue === 'string' ? { about: metadata.issue.slice(0, maxNameLength) } : {}),
    commits: commitsOf(memory),
    text: text.slice(0, maxTextLength).toWellFormed(),
  };
}

/** A person who is signed in goes before a name in the tags, which whoever saves a memory can choose. */
const authorOf = ({ author, metadata }: TeamMemory): string =>
  author?.name ?? (typeof metadata.author === 'string' ? metadata.author : '');

const commitsOf = ({ metadata: { commits } }: TeamMemory): string[] =>
  (Array.isArray(commits) ? commits : [])
    .filter((hash): hash is string => typeof hash === 'string' && /^[0-9a-f]{7,64}$/.test(hash))
    .slice(0, maxListed);
