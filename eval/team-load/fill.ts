import type { Embedder } from '../../src/models/embed.ts';
import type { TeamStore } from '../../src/store/team-store.ts';
import { prepare } from '../../src/team/prepare.ts';
import { showProgress } from '../harness.ts';
import type { Random } from '../random.ts';
import { addPerson, type Person, type TeamDatabase } from '../team/database.ts';
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
}

const batch = 500;
const questionsPerProject = 4;

/** Memories in projects of very different sizes, saved as the server saves them. */
export async function fillTeam(
  { operation, owner }: TeamDatabase,
  store: TeamStore,
  embedder: Embedder,
  size: { memories: number; projects: number },
  random: Random,
): Promise<FilledTeam> {
  const org = await operation.createOrg('load');
  const sizes = projectSizes(size.memories, size.projects);
  const total = sizes.reduce((sum, one) => sum + one, 0);
  const person = await addPerson(operation, org, 'person', {});
  const projects: FilledProject[] = [];
  let done = 0;
  const fill = async (number: number): Promise<void> => {
    const id = await operation.createProject(org, `project ${number}`);
    await operation.setRole(org, id, person.id, 'member');
    const own = { id, number, size: sizes[number] as number, questions: [] as string[] };
    projects.push(own);
    for (let from = 0; from < own.size; from += batch) {
      const given = Array.from({ length: Math.min(batch, own.size - from) }, (_, at) => ({
        source: 'comment' as const,
        sourceRef: `${from + at}`,
        text: memoryText(number, random),
        at: from + at,
      }));
      if (own.questions.length < questionsPerProject)
        own.questions.push(questionOf(random.pick(given).text, random));
      const prepared = await prepare(id, given, embedder);
      await store.inProject(person.hash, id, (work) => work.save(prepared, embedder));
      done += given.length;
      showProgress(done, total);
    }
    while (own.questions.length < questionsPerProject)
      own.questions.push(questionOf(memoryText(number, random), random));
  };
  let next = 0;
  const lane = async () => {
    for (let number = next++; number < sizes.length; number = next++) await fill(number);
  };
  await Promise.all([lane(), lane()]);
  for (const table of ['chunk', 'vector', 'memory', 'edge'])
    await owner.query(`vacuum (analyze) backstory.${table}`);
  return { org, person, projects: projects.sort((a, b) => a.number - b.number), memories: done };
}
