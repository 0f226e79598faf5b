import { join } from 'node:path';
import { sha256, uuidOf } from '../../src/base/ids.ts';
import type { Embedder } from '../../src/models/embed.ts';
import { loadStaticModel } from '../../src/models/static-embed.ts';
import { recall } from '../../src/recall/recall.ts';
import { thoroughLimits } from '../../src/recall/with-index.ts';
import { prepare } from '../../src/team/memories/prepare.ts';
import { searchTeam } from '../../src/team/memories/search.ts';
import type { TeamStore } from '../../src/team/store/team-store.ts';
import { temporaryFolder } from '../../test/harness/cleanup.ts';
import { atLeast, type Evaluation, showProgress } from '../../test/harness/evaluation.ts';
import {
  addPerson,
  type Person,
  type TeamDatabase,
  withTeamDatabase,
} from '../../test/harness/team/database.ts';
import { readLocomo } from '../recall-locomo/recall-locomo.ts';
import type { Conversation } from '../retrieval/conversation.ts';
import { inThousandths, mean, scoresOf } from '../retrieval/metrics.ts';
import { writeProject } from '../retrieval/write-project.ts';

const limit = 10;

/**
 * Asks the same questions about the same notes on one machine and on a team server. The memory contains only notes: the
 * turns of sessions, which help recall on one machine, are not sent to a team.
 */
export const teamRecall: Evaluation = {
  name: 'team-recall',
  summary: 'The same notes on a machine and on a team server, with the same questions of LoCoMo.',
  run: ({ data, isShort }) =>
    withTeamDatabase('recall', async (team) => {
      const all = readLocomo(data).filter(({ split }) => split === 'test');
      const conversations = isShort ? all.slice(0, 1) : all;
      const embedder = await loadStaticModel('assets/static-en.bin');
      const store = team.openStore(2);
      const org = await team.operation.createOrg('recall');
      const person = await addPerson(team.operation, org, 'person', {});
      const scores = { here: [] as number[], there: [] as number[], first: [] as number[] };
      for (const [at, conversation] of conversations.entries()) {
        const askHere = await onMachine(conversation);
        const askThere = await onServer(conversation, { team, store, embedder, org, person });
        for (const { text, evidence, isMain } of conversation.questions) {
          if (!isMain) continue;
          const [here, there] = [await askHere(text), await askThere(text)];
          scores.here.push(scoresOf(here, evidence).recall10);
          scores.there.push(scoresOf(there, evidence).recall10);
          scores.first.push(Number(here[0] === there[0]));
        }
        showProgress(at + 1, conversations.length);
      }
      const [here, there] = [mean(scores.here), mean(scores.there)];
      return {
        n: scores.here.length,
        figures: {
          'recall@10 on a machine': inThousandths(here),
          'recall@10 on the server': inThousandths(there),
          'same first hit': inThousandths(mean(scores.first)),
        },
        bars: { 'server minus machine': atLeast(inThousandths(there - here), -0.01) },
      };
    }),
};

async function onMachine({ id, messages }: Conversation): Promise<(text: string) => Promise<string[]>> {
  const folder = join(temporaryFolder('team-recall'), sha256(id).slice(0, 32));
  const placed = messages.map((message) => ({
    act: { kind: 'note' as const, note: 'knowledge' as const, text: message.text },
    at: message.at,
    agent: 'claude-code' as const,
    agentSession: '',
    turn: '',
  }));
  const { parts, ids } = await writeProject(folder, placed);
  const messageOf = new Map(ids.map((note, at) => [note, messages[at]?.id ?? '']));
  return async (text) => {
    const { hits } = await recall(parts, { text, limit }, thoroughLimits);
    return hits.map(({ chunk }) => messageOf.get(chunk.sourceId) ?? '');
  };
}

async function onServer(
  { id, messages }: Conversation,
  parts: { team: TeamDatabase; store: TeamStore; embedder: Embedder; org: string; person: Person },
): Promise<(text: string) => Promise<string[]>> {
  const { team, store, embedder, org, person } = parts;
  const project = await team.operation.createProject(org, id, uuidOf(sha256(id)));
  await team.operation.setRole(org, project, person.id, 'member');
  const given = messages.map((message) => ({
    source: 'note' as const,
    sourceRef: message.id,
    text: message.text,
    at: message.at,
  }));
  const prepared = await prepare(project, given, embedder);
  await store.inProject(person.hash, project, (work) => work.save(prepared, embedder));
  return async (text) =>
    (await searchTeam({ store, embedder }, person.hash, project, { text, limit, now: 0 })).map(
      ({ sourceRef }) => sourceRef,
    );
}
