import { inventHistories } from '../../../bench/recall-coding/invented-histories.ts';
import { makeSets } from '../../../bench/recall-coding/question-set.ts';
import { plainWords } from '../../../bench/retrieval/baselines.ts';
import { writeProject } from '../../../bench/retrieval/write-project.ts';
import type { RecallAnswer } from '../../../src/domain/hit.ts';
import { recall } from '../../../src/recall/recall.ts';
import { shortHitId } from '../../../src/recall/render.ts';
import { type RecallParts, thoroughLimits } from '../../../src/recall/with-index.ts';
import { type Evaluation, exactly, round, showProgress } from '../../harness/evaluation.ts';
import { createHome, type Home } from '../../harness/home.ts';
import { promptInput } from '../../harness/hook-input.ts';
import { installPackage } from '../../harness/package.ts';
import { createRandom, type Random } from '../../harness/random.ts';
import { type Hostile, hostileKinds, hostileQuery } from './hostile.ts';
import { plainForms } from './plain.ts';
import { askCli, askMcp, canBeTyped } from './surfaces.ts';

/**
 * Text that a user typed is never query syntax. Every hostile question must get the same answer as its plain words,
 * from an index that did not fail, and the index must be unchanged afterwards.
 */
export const queryFuzz: Evaluation = {
  name: 'query-fuzz',
  summary: 'hostile questions: no error, and the same answer as for their plain words',
  async run({ isShort, seed }) {
    const random = createRandom(seed);
    const home = createHome(installPackage());
    const { parts, vocabulary } = await fillMemory(home);
    await recall(parts, { text: 'warm up' }, thoroughLimits);
    const before = await digestOf(parts);
    const tally: Tally = { errors: 0, leaks: 0, answered: 0, kinds: new Set(), examples: [] };
    const n = isShort ? 1_000 : 25_000;
    const started = performance.now();
    for (let number = 0; number < n; number++) {
      await tryOne(parts, hostileQuery(number, vocabulary, random), tally);
      showProgress(number + 1, n);
    }
    const seconds = (performance.now() - started) / 1_000;
    const surfaces = await trySurfaces(home, parts, vocabulary, isShort ? 12 : 150, random);
    const changed = before === (await digestOf(parts)) ? 0 : 1;
    return {
      n,
      figures: {
        kinds: tally.kinds.size,
        'answered with hits': tally.answered,
        'ms per question': round((seconds * 1_000) / n / 2),
        'asked over CLI': surfaces.typed,
        'asked over MCP': surfaces.called,
        ...Object.fromEntries(
          [...tally.examples, ...surfaces.examples]
            .slice(0, 10)
            .map((example, at) => [`example ${at + 1}`, example]),
        ),
      },
      bars: {
        errors: exactly(tally.errors, 0),
        leaks: exactly(tally.leaks, 0),
        'kinds not tried': exactly(hostileKinds.length - tally.kinds.size, 0),
        'surface errors': exactly(surfaces.errors, 0),
        'surface leaks': exactly(surfaces.leaks, 0),
        'index changed': exactly(changed, 0),
      },
    };
  },
};

interface Tally {
  errors: number;
  leaks: number;
  answered: number;
  kinds: Set<string>;
  examples: string[];
}

/** A memory of coding sessions in the sandbox's project, and the words that occur in it. */
async function fillMemory(home: Home): Promise<{ parts: RecallParts; vocabulary: string[] }> {
  // Turn off note extraction. Otherwise a drain (background indexing) could create notes between two of the answers
  // that are compared here.
  home.cli('config', 'distil', 'off');
  home.hook(promptInput({ cwd: home.repo, session: 'first' }, 'turn-1', 'Where do we begin?'));
  const [set] = makeSets(inventHistories(1));
  const { parts, documents } = await writeProject(home.projectFolder(), set?.placed ?? []);
  const words = plainWords(documents.map(({ text }) => text).join(' ')).filter((word) =>
    /^[a-z]{3,}$/.test(word),
  );
  // Includes names of the product's tables, because naming a column is dangerous only if it exists.
  return {
    parts,
    vocabulary: [...words, 'words', 'text', 'near', 'src/queue/queue.ts', 'UserCard', 'retry_count'],
  };
}

async function tryOne(parts: RecallParts, { kind, text }: Hostile, tally: Tally): Promise<void> {
  tally.kinds.add(kind);
  const shown = `${kind}: ${JSON.stringify(text.slice(0, 160))}`;
  try {
    const answer = await recall(parts, { text, limit: 20 }, thoroughLimits);
    // If SQLite fails, recall still answers with its other search arms. Here that counts as an error.
    if (hasFailed(answer)) throw new Error(`an arm failed: ${JSON.stringify(answer.arms)}`);
    if (answer.hits.length > 0) tally.answered += 1;
    if (await equalsPlain(parts, text, answer)) return;
    tally.leaks += 1;
    tally.examples.push(`leak, ${shown}`);
  } catch (error) {
    tally.errors += 1;
    tally.examples.push(`${String(error).slice(0, 120)}, ${shown}`);
  }
}

const hasFailed = ({ arms }: RecallAnswer): boolean => Object.values(arms).includes('failed');

async function equalsPlain(parts: RecallParts, text: string, answer: RecallAnswer): Promise<boolean> {
  for (const plain of plainForms(text)) {
    const meant = await recall(parts, { text: plain, limit: 20 }, thoroughLimits);
    if (idsOf(meant) === idsOf(answer)) return true;
  }
  return false;
}

const idsOf = ({ hits }: RecallAnswer): string => hits.map(({ id }) => id).join();

/**
 * Asks the same questions with the installed programs: there must be no error, and the same hits as in this process.
 */
async function trySurfaces(
  home: Home,
  parts: RecallParts,
  vocabulary: string[],
  count: number,
  random: Random,
) {
  const examples: string[] = [];
  const tried = Array.from({ length: count * 4 }, (_, at) => hostileQuery(at, vocabulary, random)).filter(
    ({ text }) => text !== '',
  );
  const expected = new Map<string, string[]>();
  for (const { text } of tried) {
    const { hits } = await recall(parts, { text, limit: 20 }, thoroughLimits);
    expected.set(
      text,
      hits.map(({ chunk }) => shortHitId(chunk)),
    );
  }
  const typed = tried.filter(({ text }) => canBeTyped(text)).slice(0, count);
  const answers = [
    ...typed.map((hostile) => ({ ...hostile, over: 'cli', said: askCli(home, hostile.text) })),
    ...(
      await askMcp(
        home,
        tried.map(({ text }) => text),
      )
    ).map((answer, at) => ({ ...(tried[at] as Hostile), over: 'mcp', said: answer })),
  ];
  let errors = 0;
  let leaks = 0;
  for (const { over, text, said: answer } of answers) {
    const shown = `${over}: ${JSON.stringify(text.slice(0, 120))}`;
    if ('error' in answer) {
      errors += 1;
      examples.push(`${shown}: ${answer.error}`);
    } else if (!isSame(answer.ids, expected.get(text) ?? [])) {
      leaks += 1;
      examples.push(`another answer, ${shown}`);
    }
  }
  return { typed: typed.length, called: tried.length, errors, leaks, examples };
}

/** A surface may show fewer hits if the answer would be too long. */
const isSame = (shown: readonly string[], full: readonly string[]): boolean =>
  (shown.length > 0 || full.length === 0) && shown.every((id, at) => full[at] === id);

async function digestOf({ access }: RecallParts): Promise<string> {
  const reading = access.forReading();
  if (reading === undefined) throw new Error('there is no index to ask');
  try {
    return await reading.index.digest();
  } finally {
    await reading.close();
  }
}
