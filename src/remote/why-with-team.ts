import type { OpenProject } from '../memory/projects/open-project.ts';
import { chunksOfMemory } from '../memory/team-cache.ts';
import { type WhyAnswer, why } from '../why/why.ts';
import type { CachedMemory } from '../wire/answers/team.ts';
import { cacheOf } from './cache-memories.ts';
import { membershipOf } from './membership.ts';

const maxTeamMemories = 3;

/**
 * Like `why`, with what the team knows about the lines: jobs that reported the commit of a line, issues that its commit
 * names, and issues and jobs about the file. They come from the local copy, so no request is made.
 */
export async function whyWithTeam(
  { parts, root }: { parts: OpenProject; root: string },
  ...[query, options]: [Parameters<typeof why>[1], Parameters<typeof why>[2]]
): Promise<WhyAnswer> {
  const answer = await why({ parts, root }, query, options);
  const membership = membershipOf(parts.paths, parts.project);
  if (membership === undefined) return answer;
  const { memories, name } = cacheOf(parts.paths.project(parts.project).teamMemories, membership);
  const team = memories
    .map((memory) => ({ memory, closeness: closenessOf(memory, answer) }))
    .filter(({ closeness }) => closeness > 0)
    // Equally close ones stay in their order, newest first.
    .sort((a, b) => b.closeness - a.closeness)
    .slice(0, maxTeamMemories)
    .flatMap(({ memory }) => chunksOfMemory(memory, parts.project, name).slice(0, 1));
  // Memories about the file are among its notes in the index; here they have their source.
  const ids = new Set(team.map(({ sourceId }) => sourceId));
  return { ...answer, notes: [...answer.notes.filter(({ sourceId }) => !ids.has(sourceId)), ...team] };
}

/** 3: it reports the commit of a line. 2: the commit names the issue. 1: it is about the file. */
function closenessOf(
  { commits: reported, issues, files }: CachedMemory,
  { origins, path }: WhyAnswer,
): number {
  const commits = origins.flatMap(({ commit }) => commit ?? []);
  if (commits.some(({ hash }) => reported.some((each) => hash.startsWith(each)))) return 3;
  const named = new Set(
    commits.flatMap(({ message }) => message.match(/(?<![\w/])(?:[\w.-]+\/[\w.-]+)?#\d+\b/g) ?? []),
  );
  if (issues.some((issue) => named.has(issue))) return 2;
  return files.includes(path) ? 1 : 0;
}
