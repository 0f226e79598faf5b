import { AppError } from '../base/errors.ts';
import type { HomePaths } from '../base/paths.ts';
import type { Knowledge } from '../domain/knowledge.ts';
import { type KnowledgeEntry, knowledgeEntries } from '../memory/capture/repository-notes.ts';
import type { Redactor } from '../memory/redact/redact.ts';
import type { SavedKnowledge } from '../wire/answers/team.ts';
import { joinTeam, membershipOf, tokenFor } from './membership.ts';
import { requestServer } from './request-server.ts';
import { type KnowledgeRequest, maxKnowledgeParts, maxReferenceLength } from './sync-types.ts';

const timeoutMs = 30_000;
const maxKeyLength = maxReferenceLength - 100;
const maxFiles = 100;

/**
 * Sends the knowledge of a project's files (`.backstory/knowledge.json`) to its team. It replaces what any machine sent
 * before.
 */
export async function sendKnowledge(
  { paths, redactor }: { paths: HomePaths; redactor: Redactor },
  project: string,
  knowledge: Knowledge,
): Promise<SavedKnowledge & { url: string; name: string }> {
  const membership = membershipOf(paths, project);
  if (membership === undefined)
    throw new AppError('NOT_INSTALLED', 'this project has not joined a team', {
      hint: 'backstory team join https://team.example.org',
    });
  const { url, name } = membership;
  const body: KnowledgeRequest = { parts: partsOf(redactor.redactDeep(knowledge)) };
  const answer = await requestServer<SavedKnowledge>(
    { url, token: tokenFor(paths, url) },
    { method: 'POST', path: `/api/v1/projects/${membership.project}/knowledge`, body, timeoutMs },
  );
  // The user has consented by sending it once; from now on the team may request it.
  if (membership.bringsKnowledge !== true) joinTeam(paths, project, { ...membership, bringsKnowledge: true });
  return { ...answer, url, name };
}

/**
 * Splits the knowledge into parts, one per heading. Further parts with the same heading are numbered in their order.
 */
export function partsOf(knowledge: Knowledge): KnowledgeRequest['parts'] {
  const taken = new Set<string>();
  const refOf = ({ key }: KnowledgeEntry): string => {
    const base = key.trim().slice(0, maxKeyLength);
    let ref = base;
    // Count until the name is free, because a heading may itself be `Setup 2`.
    for (let count = 2; taken.has(ref); count++) ref = `${base} ${count}`;
    taken.add(ref);
    return ref;
  };
  return knowledgeEntries(knowledge)
    .filter(({ text }) => text.trim() !== '')
    .slice(0, maxKnowledgeParts)
    .map((entry) => ({
      ref: refOf(entry),
      title: entry.title,
      text: entry.text,
      files: entry.files.slice(0, maxFiles).map((file) => file.slice(0, 500)),
    }));
}
