import { temporaryFolder } from '../../test/harness/cleanup.ts';
import { linuxSource } from '../../test/harness/corpora.ts';
import { atLeast, type Evaluation, median, round } from '../../test/harness/evaluation.ts';
import { type OpenRival, type QuestionName, questions } from './rival.ts';
import { rivals } from './rivals.ts';

const names = Object.keys(questions) as QuestionName[];
const rounds = 7;

/** Sends the same queries to every installed search engine, in turn, on the same tree. */
export const codeRivals: Evaluation = {
  name: 'code-rivals',
  summary: 'Other code search engines on the Linux kernel: build, index and five kinds of question.',
  async run({ isShort }) {
    const root = linuxSource();
    const open: { name: string; engine: OpenRival }[] = [];
    for (const { name, how, open: start } of rivals) {
      const engine = await start(root, temporaryFolder('rival'));
      if (engine === undefined) console.log(`${name} is not installed, so it is left out.`);
      else {
        open.push({ name, engine });
        console.log(`${name}: ${how}`);
      }
    }
    const times = new Map<string, number[]>();
    const figures: Record<string, number> = {};
    // Ask the engines in turn, so that other load on the machine affects all alike. The first round only warms the
    // cache.
    for (let round = 0; round <= (isShort ? 2 : rounds); round++)
      for (const question of names)
        for (const { name, engine } of open) {
          const answer = await engine.ask(questions[question]);
          if (answer === undefined) continue;
          const key = `${name} ${question}`;
          if (round > 0) times.set(key, [...(times.get(key) ?? []), answer.ms]);
          if (answer.count !== undefined) figures[`${key} found`] = answer.count;
        }
    for (const { name, engine } of open) {
      figures[`${name} buildCpuS`] = round(engine.buildCpuS);
      if (engine.indexMb !== undefined) figures[`${name} indexMb`] = round(engine.indexMb);
      for (const question of names) {
        const measured = times.get(`${name} ${question}`);
        if (measured !== undefined) figures[`${name} ${question} ms`] = round(median(measured));
      }
      await engine.close();
    }
    console.log(
      table(
        open.map(({ name }) => name),
        figures,
      ),
    );
    const first = names.filter((question) =>
      isFirst(
        question,
        open.map(({ name }) => name),
        figures,
      ),
    );
    return { n: times.size, figures, bars: { questionsWon: atLeast(first.length, names.length) } };
  },
};

const isFirst = (question: QuestionName, engines: string[], figures: Record<string, number>): boolean =>
  engines.every(
    (name) => (figures[`${name} ${question} ms`] ?? Infinity) >= (figures[`backstory ${question} ms`] ?? 0),
  );

function table(engines: string[], figures: Record<string, number>): string {
  const columns = ['buildCpuS', 'indexMb', ...names.map((question) => `${question} ms`)];
  const cells = engines.map((name) => [
    name,
    ...columns.map((column) => String(figures[`${name} ${column}`] ?? '–')),
  ]);
  return [['', ...columns], columns.map(() => '---').concat('---'), ...cells]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
}
