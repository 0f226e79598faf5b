import { isDeepStrictEqual } from 'node:util';
import { list, record, text, whole } from '../base/json.ts';
import type { NoteParts } from '../memory/notes/remember.ts';
import { readTeamCache, type TeamCache, writeTeamCache } from '../memory/team-cache.ts';
import type { CachedMemory, MemoryWriter, Synced } from '../wire/answers/team.ts';
import { cachedSources, maxCachedMemories } from '../wire/answers/team-memory.ts';
import type { Membership } from './membership.ts';

/** The copy of this team's memories; an empty one if there is none yet, or if it is of another team. */
export function cacheOf(path: string, { url, project, name }: Membership): TeamCache {
  const cache = readTeamCache(path);
  return cache?.url === url && cache.project === project
    ? { ...cache, name }
    : { v: 1, url, project, name, memories: [], forgotten: [] };
}

/** Stores what has changed since. Returns how many memories were stored or removed. */
export function cacheMemories(
  path: string,
  cache: TeamCache,
  { changed, gone, writers: given = [] }: NonNullable<Synced['memories']>,
  redactor: NoteParts['redactor'],
): number {
  const writers = list(given).slice(0, maxCachedMemories).map(receivedWriter);
  const forgotten = new Set(cache.forgotten);
  const received = changed
    .map((memory) => receivedMemory(memory, redactor))
    .filter(({ id, source }) => id !== '' && cachedSources.includes(source) && !forgotten.has(id));
  const replaced = new Set([...gone, ...received.map(({ id }) => id)]);
  const kept = cache.memories.filter(({ id }) => !replaced.has(id));
  const removed = cache.memories.length - kept.length;
  const isNews = received.length + removed > 0 || !isDeepStrictEqual(cache.writers ?? [], writers);
  if (isNews || cache.memories.length === 0)
    writeTeamCache(path, { ...cache, memories: [...received, ...kept], writers });
  return Math.max(received.length, removed);
}

function receivedWriter(given: unknown): MemoryWriter {
  const { memory, person, name } = record(given);
  const short = (value: unknown): string => text(value).slice(0, 200);
  return { memory: short(memory), person: short(person), name: text(name).slice(0, maxNameLength) };
}

const maxListed = 50;
const maxNameLength = 80;

/** Reads a memory from a server, which may send anything, and redacts it before it is stored or shown. */
export function receivedMemory(given: unknown, redactor: NoteParts['redactor']): CachedMemory {
  const { redact, redactDeep } = redactor;
  const memory = record(given);
  const texts = (value: unknown): string[] =>
    redactDeep(
      list(value)
        .slice(0, maxListed)
        .map((each) => text(each).slice(0, 500)),
    );
  const name = (value: unknown): string => redact(text(value).slice(0, maxNameLength));
  return {
    id: text(memory.id).slice(0, 200),
    revision: whole(memory.revision),
    source: text(memory.source) as CachedMemory['source'],
    sourceRef: redact(text(memory.sourceRef).slice(0, 500)),
    kind: name(memory.kind),
    author: name(memory.author),
    updated: text(memory.updated).slice(0, 40),
    files: texts(memory.files),
    issues: texts(memory.issues),
    ...(text(memory.about) === '' ? {} : { about: name(memory.about) }),
    commits: texts(memory.commits),
    text: redact(text(memory.text)).trim(),
  };
}
