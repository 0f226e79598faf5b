import { AppError } from '../base/errors.ts';
import type { HomePaths } from '../base/paths.ts';
import type { Knowledge } from '../domain/knowledge.ts';
import { type KnowledgeEntry, knowledgeEntries } from '../memory/capture/repository-notes.ts';
import type { Redactor } from '../memory/redact/redact.ts';
import { askServer } from './ask-server.ts';
import { joinTeam, membershipOf, tokenFor } from './membership.ts';
import { type BringAnswer, type BringRequest, maxKnowledgeParts, maxReferenceLength } from './sync-shapes.ts';

const timeoutMs = 30_000;
const longestKey = maxReferenceLength - 100;
const maxFiles = 100;

/** What a project's files say of it goes to its team, in place of what any laptop sent before. */
export async function bringKnowledge(
  { paths, redactor }: { paths: HomePaths; redactor: Redactor },
  project: string,
  knowledge: Knowledge,
): Promise<BringAnswer & { url: string; name: string }> {
  const membership = membershipOf(paths, project);
  if (membership === undefined)
    throw new AppError('NOT_INSTALLED', 'this project has joined no team', {
      hint: 'backstory team join https://team.example.org',
    });
  const { url, name } = membership;
  const body: BringRequest = { parts: partsOf(redactor.redactDeep(knowledge)) };
  const answer = await askServer<BringAnswer>(
    { url, token: tokenFor(paths, url) },
    { method: 'POST', path: `/api/projects/${membership.project}/knowledge`, body, timeoutMs },
  );
  // Chosen once by the user; from now on the team may ask for it.
  if (membership.bringsKnowledge !== true) joinTeam(paths, project, { ...membership, bringsKnowledge: true });
  return { ...answer, url, name };
}

/** Two parts of the same name are told apart by which comes first. */
export function partsOf(knowledge: Knowledge): BringRequest['parts'] {
  const taken = new Set<string>();
  const refOf = ({ key }: KnowledgeEntry): string => {
    const base = key.trim().slice(0, longestKey);
    let ref = base;
    // Counted on until it is free: a heading may itself be called `Setup 2`.
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
