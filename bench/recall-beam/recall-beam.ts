import { atLeast, type Evaluation } from '../../test/harness/evaluation.ts';
import { createRandom } from '../../test/harness/random.ts';
import type { Conversation, Message } from '../retrieval/conversation.ts';
import { readData } from '../retrieval/data.ts';
import type { Asked } from '../retrieval/measure.ts';
import { askAll, figuresOf, goodShare, printCategories, printWays } from '../retrieval/run.ts';

/**
 * BEAM, a published data set of long conversations with an assistant. Those of 100K tokens are for development, those
 * of 500K for reporting.
 */
export const recallBeam: Evaluation = {
  name: 'recall-beam',
  summary: 'recall on BEAM: which message of a long conversation with an assistant answers the question',
  async run({ data, isShort, seed }) {
    const random = createRandom(seed);
    const read = (size: string, sha256: string) =>
      readData(data, `beam/beam_${size}.json.gz`, sha256) as BeamChat[];
    const dev = read('100K', '110d8faeed85a4b0b8269696752d414abed99776906759468cf99a6da92c71af');
    const test = read('500K', '927e5bfab985c316b5c84247d2a948d165da64620df607a207ff084aff3e1239');
    const chats = [
      ...dev.slice(0, isShort ? 4 : undefined).map((chat) => ({ chat, split: 'dev' as const })),
      ...test.slice(0, isShort ? 4 : undefined).map((chat) => ({ chat, split: 'test' as const })),
    ];
    const run = await askAll(
      chats.map(({ chat, split }) => toConversation(chat, split)),
      new Map(chats.map(({ chat }) => [chat.id, unanswerableOf(chat)])),
      !isShort,
    );
    const inTest = (asked: Asked) => asked.split === 'test' && asked.isMain;
    const inDev = (asked: Asked) => asked.split === 'dev' && asked.isMain;
    const inCoding = (asked: Asked) => inTest(asked) && asked.group === 'Coding';
    printWays('100K (dev), point questions', run.results, inDev, random);
    printWays('500K (test), point questions', run.results, inTest, random);
    printWays('500K (test), coding chats', run.results, inCoding, random);
    printCategories(run.results, (asked) => asked.split === 'test');
    const [ours, coding, base, grep] = [
      figuresOf(run.results, 'ours', inTest),
      figuresOf(run.results, 'ours', inCoding),
      figuresOf(run.results, 'fts5-or', inTest),
      figuresOf(run.results, 'grep', inTest),
    ];
    return {
      n: run.candidates.length,
      figures: {
        candidatesPerQuestion: Math.round(run.candidates.reduce((a, b) => a + b, 0) / run.candidates.length),
        testQuestions: ours.n,
        testR1: ours.r1,
        testR5: ours.r5,
        testR20: ours.r20,
        testNdcg10: ours.ndcg10,
        testAll10: ours.all10,
        devR10: figuresOf(run.results, 'ours', inDev).r10,
        fts5TestR10: base.r10,
        fts5CodingR10: figuresOf(run.results, 'fts5-or', inCoding).r10,
        grepTestR10: grep.r10,
        calledGood: goodShare(run, 'test', 'evidence'),
        calledGoodOfNothing: goodShare(run, 'test', 'nothing'),
        calledGoodOfElsewhere: goodShare(run, 'test', 'elsewhere'),
      },
      bars: isShort
        ? { testR10: atLeast(ours.r10, base.r10) }
        : { testR10: atLeast(ours.r10, 0.76), codingR10: atLeast(coding.r10, 0.8) },
    };
  },
};

interface BeamChat {
  id: string;
  category: string;
  messages: { id: number; role: 'user' | 'assistant'; batch: number; time: string | null; content: string }[];
  questions: { type: string; question: string; source_ids: unknown }[];
}

/** Kinds of questions that need the whole history. The ten messages of an answer cannot be enough for them. */
const wholeHistory = new Set(['event_ordering', 'summarization']);

function toConversation(
  { id, category, messages, questions }: BeamChat,
  split: 'dev' | 'test',
): Conversation {
  const ids = new Set(messages.map((message) => String(message.id)));
  return {
    id,
    split,
    group: category,
    messages: withTimes(messages),
    questions: questions.flatMap(({ type, question, source_ids }) => {
      const evidence = [...new Set([source_ids].flat(5).map(String))].filter((one) => ids.has(one));
      if (evidence.length === 0) return [];
      return [{ text: question, category: type, evidence, isMain: !wholeHistory.has(type) }];
    }),
  };
}

const unanswerableOf = ({ questions }: BeamChat): string[] =>
  questions.filter(({ type }) => type === 'abstention').map(({ question }) => question);

/**
 * Gives each message a time. The data set states only the day of each batch, so each following message is a second
 * later.
 */
function withTimes(messages: BeamChat['messages']): Message[] {
  let day = 0;
  return messages.map(({ id, role, batch, time, content }, at) => {
    const stated = Date.parse(`${(time ?? '').replaceAll('-', ' ')} UTC`);
    if (!Number.isNaN(stated)) day = stated;
    return { id: String(id), who: role, session: `batch-${batch}`, at: day + at * 1_000, text: content };
  });
}
