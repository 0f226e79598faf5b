import { atLeast, type Evaluation } from '../../test/harness/evaluation.ts';
import { createRandom } from '../../test/harness/random.ts';
import type { Conversation, Message } from '../retrieval/conversation.ts';
import { readData } from '../retrieval/data.ts';
import { type Asked, askedOf, recallAt } from '../retrieval/measure.ts';
import { inThousandths, mean } from '../retrieval/metrics.ts';
import { toProject } from '../retrieval/project.ts';
import { askAll, figuresOf, goodShare, printCategories, printWays } from '../retrieval/run.ts';

/**
 * LoCoMo, a published data set in which two friends talk over months. Three conversations are for development, seven
 * for reporting.
 */
export const recallLocomo: Evaluation = {
  name: 'recall-locomo',
  summary: 'recall on LoCoMo: which turn of a conversation between two people answers the question',
  async run({ data, isShort, seed }) {
    const random = createRandom(seed);
    const all = readLocomo(data);
    const short = ['conv-30', 'conv-42'];
    const conversations = isShort ? all.filter(({ id }) => short.includes(id)) : all;
    const run = await askAll(conversations, new Map(), !isShort);
    const inTest = (asked: Asked) => asked.split === 'test' && asked.isMain;
    const inDev = (asked: Asked) => asked.split === 'dev' && asked.isMain;
    printWays('dev, categories 1 to 4', run.results, inDev, random);
    printWays('test, categories 1 to 4', run.results, inTest, random);
    printCategories(run.results, (asked) => asked.split === 'test');
    const sessions = await askForSessions(conversations);
    const [ours, base, grep] = ['ours', 'fts5-or', 'grep'].map((way) => figuresOf(run.results, way, inTest));
    if (ours === undefined || base === undefined || grep === undefined) throw new Error('nothing was asked');
    return {
      n: run.candidates.length,
      figures: {
        candidatesPerQuestion: Math.round(mean(run.candidates)),
        testQuestions: ours.n,
        testR1: ours.r1,
        testR20: ours.r20,
        testNdcg10: ours.ndcg10,
        testAll10: ours.all10,
        devR10: figuresOf(run.results, 'ours', inDev).r10,
        fts5TestR5: base.r5,
        fts5TestR10: base.r10,
        grepTestR10: grep.r10,
        sessionR10: sessions.r10,
        calledGood: goodShare(run, 'test', 'evidence'),
        calledGoodOfElsewhere: goodShare(run, 'test', 'elsewhere'),
      },
      bars: isShort
        ? { testR10: atLeast(ours.r10, base.r10) }
        : {
            testR10: atLeast(ours.r10, 0.8),
            testR5: atLeast(ours.r5, 0.71),
            sessionR5: atLeast(sessions.r5, 0.91),
          },
    };
  },
};

export function readLocomo(data: string | undefined): Conversation[] {
  const sha256 = '79fa87e90f04081343b8c8debecb80a9a6842b76a7aa537dc9fdf651ea698ff4';
  return (readData(data, 'locomo/locomo10.json', sha256) as LocomoSample[]).map(toConversation);
}

/** Measures recall by agent session instead of by message, for all questions of all conversations. */
async function askForSessions(conversations: Conversation[]): Promise<{ r5: number; r10: number }> {
  const asked: Asked[] = [];
  for (const conversation of conversations) {
    const project = await toProject(conversation);
    const sessionOf = new Map(conversation.messages.map(({ id, session }) => [id, session]));
    const sessionsIn = (ids: string[]) => [...new Set(ids.map((id) => sessionOf.get(id) ?? ''))];
    for (const { text, category, evidence, isMain } of conversation.questions) {
      const found = sessionsIn((await project.ask(text, 100)).ids);
      const about = { category, group: '', isMain, split: conversation.split };
      asked.push({ ...about, ...askedOf(found, sessionsIn(evidence)) });
    }
  }
  return {
    r5: inThousandths(mean(asked.map((one) => recallAt(one, 5)))),
    r10: inThousandths(mean(asked.map((one) => recallAt(one, 10)))),
  };
}

interface LocomoSample {
  sample_id: string;
  conversation: Record<string, string | LocomoTurn[]>;
  qa: { question: string; evidence?: string[]; category: number }[];
}

interface LocomoTurn {
  speaker: string;
  dia_id: string;
  text: string;
  blip_caption?: string;
}

const devSamples = ['conv-26', 'conv-30', 'conv-41'];
const categories = ['', '1 multi-hop', '2 temporal', '3 open-domain', '4 single-hop', '5 adversarial'];

function toConversation({ sample_id, conversation, qa }: LocomoSample): Conversation {
  const messages = Object.entries(conversation).flatMap(([key, turns]) =>
    /^session_\d+$/.test(key) && Array.isArray(turns)
      ? toMessages(key, turns, String(conversation[`${key}_date_time`]))
      : [],
  );
  const ids = new Set(messages.map(({ id }) => id));
  return {
    id: sample_id,
    split: devSamples.includes(sample_id) ? 'dev' : 'test',
    group: '',
    messages,
    questions: qa.flatMap(({ question, evidence, category }) => {
      const wanted = evidenceIds(evidence ?? []).filter((id) => ids.has(id));
      if (wanted.length === 0) return [];
      return [
        { text: question, category: categories[category] ?? '', evidence: wanted, isMain: category < 5 },
      ];
    }),
  };
}

/**
 * Returns the ids in the evidence strings of a question. Nine strings of the dataset are malformed: they contain
 * several ids, or an additional colon or zero.
 */
const evidenceIds = (evidence: string[]): string[] => [
  ...new Set(
    evidence
      .flatMap((text) => text.split(/[;\s]+/))
      .map((text) => text.replace(/^D:?(\d+):0*(\d+)$/, 'D$1:$2')),
  ),
];

function toMessages(session: string, turns: LocomoTurn[], dateTime: string): Message[] {
  const [, hour, minute, half, day, month, year] =
    /(\d+):(\d+) (am|pm) on (\d+) (\w+), (\d+)/.exec(dateTime) ?? [];
  const began =
    Date.parse(`${day} ${month} ${year} UTC`) +
    ((Number(hour) % 12) + (half === 'pm' ? 12 : 0)) * 3_600_000 +
    Number(minute) * 60_000;
  return turns.map(({ speaker, dia_id, text, blip_caption }, at) => ({
    id: dia_id,
    who: 'user',
    session,
    at: began + at * 1_000,
    text: `${speaker}: ${text}${blip_caption === undefined ? '' : `\n[image: ${blip_caption}]`}`,
  }));
}
