import { isoTime } from '../../src/base/clock.ts';
import { writeTeamCache } from '../../src/memory/team-cache.ts';
import { maxCachedMemories } from '../../src/wire/answers/team-memory.ts';

/** Writes the largest copy of a team's memories that a laptop keeps: issues by Eve with these texts. */
export function writeTeamIssues(path: string, name: string, textOf: (number: number) => string): void {
  const memories = Array.from({ length: maxCachedMemories }, (_, at) => ({
    id: `01990000-0000-7000-8000-${String(at).padStart(12, '0')}`,
    revision: 1,
    source: 'issue' as const,
    sourceRef: `#${at}`,
    kind: 'issue',
    author: 'eve',
    updated: isoTime(Date.UTC(2026, 9, 1) + at * 60_000),
    files: [],
    issues: [`#${at}`],
    commits: [],
    text: textOf(at),
  }));
  writeTeamCache(path, { v: 1, url: 'http://127.0.0.1:1', project: 'p', name, memories, forgotten: [] });
}
