import { readJson, writeJson } from '../base/files.ts';
import type { Chunk } from '../domain/chunk.ts';
import { findNote, freshNote, type Note, teamOrigin } from '../domain/note.ts';
import { chunksOfNote } from '../recall/chunks.ts';
import type { NoteStore } from '../store/store.ts';
import { harmlessLine } from '../text/fence.ts';
import type { CachedMemory, MemoryWriter } from '../wire/answers/team.ts';
import { maxCachedMemories, maxCachedTextLength } from '../wire/answers/team-memory.ts';

/**
 * The copy of a team's newest issues, comments and jobs on this machine. Hooks read it, because they make no network
 * request. Teammates' notes are not in it: sync stores them as notes.
 */
export interface TeamCache {
  v: 1;
  /** The server and its project that the memories come from. A copy of another team is not used. */
  url: string;
  project: string;
  name: string;
  memories: CachedMemory[];
  /** The memories that members wrote, as the server says. Their texts are told if the user trusts the member. */
  writers?: MemoryWriter[];
  /**
   * Ids of the server's last hits that are not in the copy, so that they can be opened by their short ids. Their texts
   * are not stored: nothing would remove them when the team does.
   */
  seen?: string[];
  /** Ids of memories that the user has forgotten here. They are not stored again. */
  forgotten: string[];
}

export function readTeamCache(path: string): TeamCache | undefined {
  const cache = readJson<TeamCache>(path);
  return cache?.v === 1 ? cache : undefined;
}

/** A member of the team whose issues and comments the user lets first prompts quote on this machine. */
export interface TrustedMember {
  id: string;
  name: string;
}

export const readTrustedMembers = (path: string): TrustedMember[] =>
  readJson<{ trusted?: TrustedMember[] }>(path)?.trusted ?? [];

/** Writes the newest memories. The bounds hold whatever a server sends. */
export function writeTeamCache(path: string, cache: TeamCache): void {
  const forgotten = new Set(cache.forgotten);
  const memories = cache.memories
    .filter(({ id }) => !forgotten.has(id))
    .sort((a, b) => (a.updated < b.updated ? 1 : -1))
    .slice(0, maxCachedMemories)
    .map((memory) => ({ ...memory, text: memory.text.slice(0, maxCachedTextLength) }));
  writeJson(path, { ...cache, memories });
}

const filePrefix = 'team-memory/';

/** The copy as files of notes, so that the index has it with the notes. None of them is a note of the user. */
export function teamNoteFiles(path: string): Pick<NoteStore, 'stamps' | 'readFile'> {
  // The index asks for the stamps, then for each changed file. The copy is parsed once for all of them.
  let memories: CachedMemory[] = [];
  return {
    stamps: () => {
      memories = readTeamCache(path)?.memories ?? [];
      return new Map(memories.map(({ id, revision }) => [`${filePrefix}${id}`, `${revision}`]));
    },
    readFile: async (name) => {
      const memory = isTeamMemoryFile(name)
        ? memories.find(({ id }) => name === `${filePrefix}${id}`)
        : undefined;
      return memory === undefined ? undefined : noteOfMemory(memory);
    },
  };
}

/** A candidate of trust 0, like all text by other people that the user has not approved on this machine. */
const noteOfMemory = ({ id, kind, author, updated, revision, files, text }: CachedMemory): Note =>
  freshNote(updated, {
    id,
    // The kind may come from a tag, which is untrusted text.
    kind: harmlessLine(kind, maxKindLength) as Note['kind'],
    title: text.split('\n', 1)[0] ?? '',
    files,
    rev: revision,
    author,
    derivedFrom: [teamOrigin(author)],
    text,
  });

/** The chunks of a memory that recall shows, with their source. */
export const chunksOfMemory = (memory: CachedMemory, project: string, name: string): Chunk[] =>
  chunksOfNote(noteOfMemory(memory), project).map((chunk) => ({
    ...chunk,
    team: { name, source: memory.source, author: memory.author },
  }));

export const isTeamMemoryFile = (name: string): boolean => name.startsWith(filePrefix);

const maxKindLength = 40;
const maxSeen = 50;

/** Keeps the ids of hits that are not in the copy, newest answer first. */
export function keepSeenMemories(path: string, cache: TeamCache, hits: CachedMemory[]): void {
  const known = new Set(cache.memories.map(({ id }) => id));
  const news = hits.map(({ id }) => id).filter((id) => !known.has(id) && cache.seen?.includes(id) !== true);
  if (news.length > 0)
    writeTeamCache(path, { ...cache, seen: [...news, ...(cache.seen ?? [])].slice(0, maxSeen) });
}

/** The memory with this id, or with at least eight characters of it. It has a text only if it is in the copy. */
export function cachedMemory(
  path: string,
  id: string,
): { id: string; name: string; memory?: CachedMemory } | undefined {
  const cache = id.length < 8 ? undefined : readTeamCache(path);
  if (cache === undefined) return undefined;
  const { name, memories, seen = [] } = cache;
  const memory = findNote(memories, id);
  if (memory !== undefined) return { id: memory.id, name, memory };
  const other = findNote(
    seen.map((each) => ({ id: each })),
    id,
  );
  return other === undefined ? undefined : { ...other, name };
}

/** Removes memories from the copy for good. Returns how many there were. */
export function forgetTeamMemories(path: string, isForgotten: (memory: CachedMemory) => boolean): number {
  const cache = readTeamCache(path);
  if (cache === undefined) return 0;
  const ids = cache.memories.filter(isForgotten).map(({ id }) => id);
  if (ids.length > 0) writeTeamCache(path, { ...cache, forgotten: [...cache.forgotten, ...ids] });
  return ids.length;
}
