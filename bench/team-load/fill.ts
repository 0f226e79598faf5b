import { sha256, uuidOf } from '../../src/base/ids.ts';
import type { Embedder } from '../../src/models/embed.ts';
import { prepare } from '../../src/team/memories/prepare.ts';
import type { TeamStore } from '../../src/team/store/team-store.ts';
import { showProgress } from '../../test/harness/evaluation.ts';
import { createRandom } from '../../test/harness/random.ts';
import { addPerson, addToken, type Person, type TeamDatabase } from '../../test/harness/team/database.ts';
import { memoryText, projectSizes, questionOf } from './texts.ts';

export interface FilledProject {
  id: string;
  number: number;
  size: number;
  questions: string[];
}

export interface FilledTeam {
  org: string;
  person: Person;
  projects: FilledProject[];
  memories: number;
  /** Number of memories added by this run. */
  added: number;
}

export interface TeamSize {
  memories: number;
  projects: number;
}

const batch = 500;
const lanes = 2;
const questionsPerProject = 4;
/**
 * Version of the generated texts. Increase it when the same parameters would give other texts, so that cached databases
 * are not reused.
 */
const revision = 1;

/** Name of the filled database, so that one with the same parameters is found again. */
export const filledName = ({ memories, projects }: TeamSize, embedder: Embedder): string =>
  `backstory_load_${sha256(JSON.stringify([revision, memories, projects, embedder.id])).slice(0, 12)}`;

/**
 * Saves memories to projects of very different sizes as the server does. Every text depends only on its project and
 * number, so existing ones are kept and an interrupted run can continue.
 */
export async function fillTeam(
  team: TeamDatabase,
  store: TeamStore,
  embedder: Embedder,
  size: TeamSize,
): Promise<FilledTeam> {
  const sizes = projectSizes(size.memories, size.projects);
  const total = sizes.reduce((sum, one) => sum + one, 0);
  const { org, person } = await orgOf(team);
  const there = await slicesOf(team, org);
  const projects = sizes.map((own, number) => ({
    id: uuidOf(sha256(`load ${number}`)),
    number,
    size: own,
    questions: questionsOf(number, own, questionsPerProject),
  }));
  let added = 0;
  const fill = async ({ id, number, size: own }: FilledProject): Promise<void> => {
    if ((there.get(id) ?? 0) >= own) return;
    if (!there.has(id)) await team.operation.createProject(org, `project ${number}`, id);
    await team.operation.setRole(org, id, person.id, 'member');
    for (let from = 0; from < own; from += batch) {
      const given = Array.from({ length: Math.min(batch, own - from) }, (_, at) => ({
        source: 'comment' as const,
        sourceRef: `${from + at}`,
        text: textOf(number, from + at),
        at: from + at,
      }));
      const prepared = await prepare(id, given, embedder);
      await store.inProject(person.hash, id, (work) => work.save(prepared, embedder));
      added += given.length;
      showProgress(added, total);
    }
  };
  const left = [...projects];
  const lane = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await fill(next);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  if (added > 0) await team.owner.query('vacuum (analyze)');
  return { org, person, projects, memories: total, added };
}

/** The organisation, and a person in it with a new token. */
async function orgOf({ operation }: TeamDatabase): Promise<{ org: string; person: Person }> {
  const known = (await operation.orgs()).find(({ name }) => name === 'load');
  const org = known?.id ?? (await operation.createOrg('load'));
  const somebody = (await operation.principals(org)).find(({ name }) => name === 'person');
  return {
    org,
    person: somebody
      ? await addToken(operation, org, somebody.id)
      : await addPerson(operation, org, 'person', {}),
  };
}

async function slicesOf({ owner }: TeamDatabase, org: string): Promise<Map<string, number>> {
  const rows = await owner.query<{ id: string; chunks: string }>(
    'select id, chunks from backstory.project where org = $1',
    [org],
  );
  return new Map(rows.map(({ id, chunks }) => [id, Number(chunks)]));
}

const textOf = (project: number, at: number): string =>
  memoryText(project, createRandom(project * 1_000_003 + at));

/** Returns questions about a project. Each is answered by one of its memories. */
function questionsOf(project: number, size: number, count: number): string[] {
  const random = createRandom(project);
  return Array.from({ length: count }, () => questionOf(textOf(project, random.whole(0, size - 1)), random));
}
