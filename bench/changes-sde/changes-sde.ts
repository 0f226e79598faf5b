import { recordId } from '../../src/agents/provisional-ids.ts';
import type { Chunk } from '../../src/domain/chunk.ts';
import type { Hit } from '../../src/domain/hit.ts';
import { recall } from '../../src/recall/recall.ts';
import { thoroughLimits } from '../../src/recall/with-index.ts';
import { type Evaluation, exactly } from '../../test/harness/evaluation.ts';
import { readTasks, type Task } from '../benefit/read-tasks.ts';
import { importSessions } from '../recall-real/import-sessions.ts';
import type { RealSession } from '../recall-real/read-sets.ts';

const depth = 10;

/**
 * The chats of sde-bench, a public benchmark, without its agent: the question is the bug report as it is. All tasks of
 * a group share one project with all decoys, so the chats of the other tasks are distractors too. The benchmark itself
 * gives each task only its own chats and the decoys; the figures "alone" are for that. The whole benchmark is a test
 * set: do not tune on it.
 */
export const changesSde: Evaluation = {
  name: 'changes-sde',
  summary: 'sde-bench: recall shows the amended rule before the overturned one, and finds the deciding chat',
  async run({ data }) {
    const benchmark = data === undefined ? undefined : readTasks(data);
    if (benchmark === undefined) {
      const skipped = 'no archive of sde-bench; name its folder with --data DIR';
      return { n: 0, figures: { skipped }, bars: {} };
    }
    const { tasks, decoys } = benchmark;
    /** Each rule was decided in one chat. */
    const decided = tasks.filter(({ source }) => source === 'conversation');
    /** Each rule was decided in one chat and amended in a later one. */
    const amended = tasks.filter(({ source }) => source === 'conversation-amended');
    const together = await askAmended('sde-amended', amended, decoys);
    const alone: Order[] = [];
    for (const task of amended) alone.push(...(await askAmended(task.id, [task], decoys)));
    const places = await askDecided(decided, decoys);
    const within = (limit: number): number => places.filter((place) => place > 0 && place <= limit).length;
    return {
      n: amended.length + decided.length,
      figures: {
        decoys: decoys.length,
        ...figuresOf('together', together),
        ...figuresOf('alone', alone),
        'deciding chat first': within(1),
      },
      bars: {
        'together: amending chat first': exactly(countFirst(together, 'amending'), 6),
        'deciding chat among the first three': exactly(within(3), 27),
      },
    };
  },
};

interface Order {
  /** The chat of the first text shown that is from either chat. */
  first: 'amending' | 'overturned' | 'none';
  /**
   * Whether the last answer of the amending chat, which repeats the whole amended rule, is shown before any text of
   * the overturned chat. This is stricter than `first`: the amending chat begins by recounting the old rule.
   */
  isConclusionFirst: boolean;
  /** For each line "later" of a hit from either chat, whether the line is from one of the two chats. */
  laterIsRelated: boolean[];
}

const countFirst = (orders: Order[], chat: Order['first']): number =>
  orders.filter(({ first }) => first === chat).length;

function figuresOf(name: string, orders: Order[]): Record<string, number> {
  const later = orders.flatMap(({ laterIsRelated }) => laterIsRelated);
  return {
    [`${name}: amending chat first`]: countFirst(orders, 'amending'),
    [`${name}: overturned chat first`]: countFirst(orders, 'overturned'),
    [`${name}: neither chat found`]: countFirst(orders, 'none'),
    [`${name}: whole amended rule before the overturned chat`]: orders.filter(
      ({ isConclusionFirst }) => isConclusionFirst,
    ).length,
    [`${name}: later lines`]: later.length,
    [`${name}: later lines from an unrelated chat`]: later.filter((isRelated) => !isRelated).length,
  };
}

async function askAmended(name: string, tasks: Task[], decoys: RealSession[]): Promise<Order[]> {
  const ask = await importChats(name, tasks, decoys);
  const orders: Order[] = [];
  for (const { id, bugReport, chats } of tasks) {
    const [overturned, amending] = chats;
    const conclusion = amending?.messages.findLast(({ act }) => act.kind === 'answer')?.id;
    const { hits, messagesOf } = await ask(bugReport);
    const isFrom = (chat: RealSession | undefined, chunk: Chunk): boolean =>
      messagesOf(chunk).some((message) => chat?.messages.some((own) => own.id === message));
    const isRelated = (chunk: Chunk): boolean => chats.some((chat) => isFrom(chat, chunk));
    // What was said later is shown before the text of the hit itself.
    const shown = hits.flatMap(({ chunk, later = [] }) => [...later, chunk]);
    const placeOf = (is: (chunk: Chunk) => boolean): number => {
      const place = shown.findIndex(is);
      return place < 0 ? Number.POSITIVE_INFINITY : place;
    };
    const past = placeOf((chunk) => isFrom(overturned, chunk));
    const now = placeOf((chunk) => isFrom(amending, chunk));
    const first = now < past ? 'amending' : past < now ? 'overturned' : 'none';
    // A summary is extracted from the whole chat and does not contain every message.
    const whole = placeOf(
      (chunk) => chunk.kind !== 'summary' && messagesOf(chunk).some((message) => message === conclusion),
    );
    orders.push({
      first,
      isConclusionFirst: whole < past,
      laterIsRelated: hits
        .filter(({ chunk }) => isRelated(chunk))
        .flatMap(({ later = [] }) => later.map(isRelated)),
    });
    const text = shown[Math.min(past, now)]?.text.replaceAll('\n', ' ').slice(0, 100) ?? '';
    console.log(`${name}, ${id}: ${first} first: ${text}`);
  }
  return orders;
}

/** For each task the place of the first hit from its deciding chat, starting at 1; 0 if there is none. */
async function askDecided(decided: Task[], decoys: RealSession[]): Promise<number[]> {
  const ask = await importChats('sde-decided', decided, decoys);
  const places: number[] = [];
  for (const { id, bugReport, chats } of decided) {
    const { hits, messagesOf } = await ask(bugReport);
    const own = new Set(chats.flatMap(({ messages }) => messages.map((message) => message.id)));
    const place = hits.findIndex(({ chunk }) => messagesOf(chunk).some((message) => own.has(message))) + 1;
    if (place !== 1) console.log(`${id}: the deciding chat is hit ${place === 0 ? 'none' : place}`);
    places.push(place);
  }
  return places;
}

interface Asked {
  hits: Hit[];
  /** Ids of the messages that a chunk is from, or that its note was extracted from. */
  messagesOf(chunk: Chunk): string[];
}

async function importChats(
  name: string,
  tasks: Task[],
  decoys: RealSession[],
): Promise<(question: string) => Promise<Asked>> {
  const sessions = [...decoys, ...tasks.flatMap(({ chats }) => chats)];
  const { parts, now } = await importSessions(name, sessions);
  const messages = new Map<string, string[]>(
    sessions.flatMap((session) =>
      session.messages.map(({ id }): [string, string[]] => [recordId('claude-code', id), [id]]),
    ),
  );
  const notes = new Map(
    (await parts.notes.list()).map(({ id, derivedFrom }) => [
      id,
      derivedFrom.flatMap((event) => messages.get(event) ?? []),
    ]),
  );
  const messagesOf = ({ sourceId }: Chunk): string[] => messages.get(sourceId) ?? notes.get(sourceId) ?? [];
  return async (text) => {
    const { hits } = await recall(parts, { text, limit: depth, now }, thoroughLimits);
    return { hits, messagesOf };
  };
}
