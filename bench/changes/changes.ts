import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPrelude } from '../../src/memory/prelude/prelude-file.ts';
import { recall } from '../../src/recall/recall.ts';
import { thoroughLimits } from '../../src/recall/with-index.ts';
import { atLeast, atMost, type Evaluation, round, showProgress } from '../../test/harness/evaluation.ts';
import { importSessions } from '../recall-real/import-sessions.ts';
import type { RealSession } from '../recall-real/read-sets.ts';

/** Sessions in which the user settles something and changes it later, written by people who had not seen the rules. */
interface Pair {
  id: string;
  kind: string;
  where: 'one-session' | 'across';
  turns: { session: string; at: string; user: string; agent: string }[];
  question: string;
  /** Strings of which a right answer contains at least one, and strings that only the overturned state has. */
  now: string[];
  past: string[];
}

interface Judged {
  pair: Pair;
  /** Of the first hit that names either state: the current one, the overturned one, or neither. */
  first: 'now' | 'past' | 'none';
  /** Lines of the prelude that tell the overturned state. */
  told: string[];
}

export const changes: Evaluation = {
  name: 'changes',
  summary:
    'something is settled and changed later: recall finds the change first, and nothing tells the old state',
  async run({ data, isShort }) {
    const pairs = data === undefined ? [] : readPairs(data);
    if (pairs.length === 0)
      return { n: 0, figures: { skipped: 'no pairs; name their folder with --data DIR' }, bars: {} };
    const chosen = isShort ? pairs.filter((_, at) => at % 8 === 0) : pairs;
    const judged: Judged[] = [];
    for (const [at, pair] of chosen.entries()) {
      judged.push(await judge(pair));
      showProgress(at + 1, chosen.length);
    }
    for (const { pair, first, told } of judged) {
      if (first !== 'now') console.log(`${pair.id} ${pair.kind} ${pair.where}: first is ${first}`);
      for (const line of told) console.log(`${pair.id} told: ${line}`);
    }
    const share = (of: Judged[], is: (one: Judged) => boolean): number =>
      round((100 * of.filter(is).length) / Math.max(1, of.length));
    const isRight = ({ first }: Judged): boolean => first === 'now';
    const groups = [
      ...Map.groupBy(judged, ({ pair }) => pair.kind),
      ...Map.groupBy(judged, ({ pair }) => pair.where),
    ];
    return {
      n: judged.length,
      figures: Object.fromEntries(
        groups.map(([name, own]) => [`${name}: change first %`, share(own, isRight)]),
      ),
      bars: {
        'change first %': atLeast(share(judged, isRight), 95),
        'overturned state told %': atMost(
          share(judged, ({ told }) => told.length > 0),
          1,
        ),
      },
    };
  },
};

const depth = 10;

async function judge(pair: Pair): Promise<Judged> {
  const { parts, now } = await importSessions(pair.id, sessionsOf(pair));
  const { hits } = await recall(parts, { text: pair.question, limit: depth, now }, thoroughLimits);
  // What was said later is shown before the text of the hit itself.
  const texts = hits.flatMap(({ chunk, later }) =>
    [...(later ?? []), chunk].map((one) => one.text.toLowerCase()),
  );
  const has = (text: string, strings: string[]): boolean => strings.some((string) => text.includes(string));
  const first = texts.find((text) => has(text, pair.now) || has(text, pair.past));
  const prelude = readPrelude(parts.paths, parts.project)?.lines ?? [];
  return {
    pair,
    first: first === undefined ? 'none' : has(first, pair.now) ? 'now' : 'past',
    told: prelude
      .map(({ text }) => text)
      .filter((text) => has(text.toLowerCase(), pair.past) && !has(text.toLowerCase(), pair.now)),
  };
}

const sessionsOf = ({ id, turns }: Pair): RealSession[] =>
  [...Map.groupBy(turns.entries(), ([, { session }]) => session)].map(([session, own]) => ({
    id: `${id}-${session}`,
    messages: own.flatMap(([at, turn]) => [
      { id: `${id}-${at}-user`, at: Date.parse(turn.at), act: { kind: 'prompt', text: turn.user } },
      {
        id: `${id}-${at}-agent`,
        at: Date.parse(turn.at) + 30_000,
        act: { kind: 'answer', text: turn.agent },
      },
    ]),
  }));

function readPairs(folder: string): Pair[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line) as Pair);
}
