import type { MemorySource } from './memory.ts';
import type { ShownMemory } from './team-memory-view.ts';

/** The part of a team's memory that a laptop shows: where it comes from, who wrote it and the start of its text. */
export interface TeamMemory {
  id: string;
  revision: number;
  source: MemorySource;
  sourceRef: string;
  kind: string;
  /** The person whose machine saved it, or the user name on the forge; empty if nobody is known. */
  author: string;
  updated: string;
  files: string[];
  issues: string[];
  /** The issue that it is, or that it comments on, as people name it: `acme/queue#5`, `ENG-12`. */
  about?: string | undefined;
  commits: string[];
  text: string;
}

/** A member who wrote a memory: the account in the tracker is linked to them. */
export interface MemoryWriter {
  memory: string;
  person: string;
  name: string;
}

/** Where a hit of recall comes from, if it is a team's. */
export interface TeamSource {
  /** Name of the team's project. */
  name: string;
  source: MemorySource;
  author: string;
  /** The hit comes from the server's answer, and this machine does not have it as it is now. */
  isOnServer?: true;
}

/** Sources that laptops keep a copy of, beside the notes, which are synced as notes. */
export const cachedSources: MemorySource[] = ['issue', 'comment', 'job'];
/** Bounds of the copy: the newest memories, and the start of each text. A prompt waits while it is read. */
export const maxCachedMemories = 300;
export const maxCachedTextLength = 2_000;

const maxListed = 50;
const maxNameLength = 80;

export function teamMemoryOf(memory: ShownMemory, maxTextLength = maxCachedTextLength): TeamMemory {
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
const authorOf = ({ author, metadata }: ShownMemory): string =>
  author?.name ?? (typeof metadata.author === 'string' ? metadata.author : '');

const commitsOf = ({ metadata: { commits } }: ShownMemory): string[] =>
  (Array.isArray(commits) ? commits : [])
    .filter((hash): hash is string => typeof hash === 'string' && /^[0-9a-f]{7,64}$/.test(hash))
    .slice(0, maxListed);
