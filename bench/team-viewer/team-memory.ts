import type { Random } from '../../test/harness/random.ts';
import { addPerson, type Person, type TeamDatabase } from '../../test/harness/team/database.ts';
import { decisionText, hostileTexts, noteText, promptText, type Topic, topics } from '../viewer/stories.ts';

/** A team of four with three weeks of memories: issues, comments, agent sessions, notes and the codebase. */
export interface TeamMemory {
  project: string;
  /** Owner, member and reader of the project. */
  ann: Person;
  ben: Person;
  rea: Person;
  /** Reader of the project, and member of another. */
  sam: Person;
  /** A question, words of the decision that answers it, and its author. */
  question: { text: string; answer: string; author: string };
  /** A memory to delete, by words that occur nowhere else. */
  doomed: string;
  memories: number;
}

const doomed = 'The staging password hangs on the whiteboard behind the coffee machine.';

export async function fillTeam(
  { operation, owner }: TeamDatabase,
  url: string,
  { count, random }: { count: number; random: Random },
): Promise<TeamMemory> {
  const org = await operation.createOrg('acme');
  const project = await operation.createProject(org, 'shop-backend');
  const other = await operation.createProject(org, 'storefront');
  const roles = { [project]: 'member', [other]: 'member' } as const;
  const ann = await addPerson(operation, org, 'Ann Berger', { [project]: 'owner', [other]: 'owner' });
  const ben = await addPerson(operation, org, 'Ben Okafor', roles);
  const chi = await addPerson(operation, org, 'Chi Nguyen', roles);
  const rea = await addPerson(operation, org, 'Rea Lindqvist', { [project]: 'reader' });
  const sam = await addPerson(operation, org, 'Sam Ortega', { [project]: 'reader', [other]: 'member' });
  const save = async (who: Person, memories: object[]) => {
    for (let at = 0; at < memories.length; at += 200) {
      const response = await fetch(`${url}/api/projects/${project}/memory/batch`, {
        method: 'POST',
        headers: { authorization: `Bearer ${who.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ memories: memories.slice(at, at + 200) }),
      });
      if (!response.ok) throw new Error(`saving was answered with ${response.status}`);
    }
  };
  const writers = [ann, ben, chi];
  const made = Array.from({ length: count }, (_, number) => anyMemory(number, random));
  for (const [place, who] of writers.entries())
    await save(
      who,
      made.filter((_, at) => at % writers.length === place),
    );
  // One decision of each topic is by Chi, and one note is private to Ben.
  const decisions = topics.map((topic, at) => ({
    source: 'note',
    sourceRef: `decision-${at}`,
    text: decisionText(topic),
    metadata: { kind: 'decision', files: [pathOf(topic)] },
  }));
  await save(chi, decisions);
  await save(ben, [
    { source: 'note', sourceRef: 'doomed', text: doomed, metadata: { kind: 'fact' } },
    {
      source: 'note',
      sourceRef: 'own',
      text: 'I doubt that we need the queue at all.',
      visibility: 'private',
    },
    ...hostileTexts.slice(0, 3).map((text, at) => ({ source: 'note', sourceRef: `hostile-${at}`, text })),
  ]);
  // Spreads the memories over three weeks.
  await owner.query(
    `update backstory.memory set created = created - age.by, updated = updated - age.by
     from (select id as one, (abs(hashtext(id)) % 1800) * interval '17 minutes' as by from backstory.memory) age
     where age.one = id and source_ref <> 'doomed'`,
  );
  const asked = topics[4] as Topic;
  return {
    project,
    ann,
    ben,
    rea,
    sam,
    question: {
      text: `why ${asked.choice} for ${asked.thing}`,
      answer: asked.reason,
      author: 'Chi Nguyen',
    },
    doomed,
    memories: count + decisions.length + 5,
  };
}

const pathOf = ({ folder, part }: Topic): string => `src/${folder}/${part}.ts`;

function anyMemory(number: number, random: Random): object {
  const topic = random.pick(topics);
  const path = pathOf(topic);
  const ref = String(number);
  switch (random.whole(0, 4)) {
    case 0:
      return {
        source: 'issue',
        sourceRef: `shop#${number}`,
        text: `# ${promptText(topic, random)}\n\nSeen in \`${path}\`, see #${random.whole(1, 40)}.`,
        metadata: { status: random.pick(['open', 'closed']), priority: random.pick(['high', 'normal']) },
      };
    case 1:
      return {
        source: 'comment',
        sourceRef: `shop#${random.whole(1, 40)}/${number}`,
        text: `${topic.reason[0]?.toUpperCase()}${topic.reason.slice(1)}, so ${topic.choice}. That was #${random.whole(1, 40)}.`,
      };
    case 2:
      return {
        source: 'job',
        sourceRef: `job-${ref}`,
        text: `${promptText(topic, random)}\n\nDone in \`${path}\`: it compares versions, and the tests pass.`,
        metadata: { agent: random.pick(['claude-code', 'codex']), files: [path] },
      };
    case 3:
      return {
        source: 'knowledge',
        sourceRef: `${topic.folder}-${ref}`,
        text: `\`${path}\` defines \`${topic.symbol}\`: ${topic.thing} rest on ${topic.choice}.`,
        metadata: { files: [path] },
      };
    default: {
      const kind = random.pick(['rule', 'fix', 'fact', 'failed']);
      return {
        source: 'note',
        sourceRef: `note-${ref}`,
        text: noteText(kind, topic, random),
        metadata: { kind, files: [path], concepts: [topic.folder] },
      };
    }
  }
}
