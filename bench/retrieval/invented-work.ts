import { createRandom } from '../../test/harness/random.ts';
import type { Placed } from './write-project.ts';

const areas =
  'parser router session cache queue report upload search billing export import mail schema auth'.split(' ');
const verbs = 'reject accept keep drop split merge delay retry validate sort count escape stream lock'.split(
  ' ',
);
const objects =
  'empty rows|late answers|duplicate keys|long names|torn records|stale tokens|foreign currencies|nested lists|unknown fields|slow clients|odd headers|old formats|partial uploads|broken links|hidden folders|leap seconds'.split(
    '|',
  );
const reasons = [
  'A customer with many branches ran into it on the first day of the quarter',
  'The monitoring showed it only after the traffic had doubled',
  'It looked harmless until two of them arrived in the same second',
  'Support had answered the same question eleven times',
  'The previous behaviour depended on the order in which threads woke up',
  'An audit asked for it and the old way could not be explained',
];
const effects = [
  'Afterwards the counter never runs ahead of the table',
  'The caller now gets a clear answer instead of a timeout',
  'This halves the time of the slowest request',
  'Nothing changes for people who never switched it on',
  'The next release can take the compatibility layer out',
  'What was written before stays readable',
];

const pieces = 120;
const hour = 3_600_000;

/**
 * The memory of a project that does not exist, and questions about it, the same in every run. It fills an index; its
 * sentences are too simple to say anything about the quality of recall.
 */
export function inventWork(): { placed: Placed[]; questions: string[] } {
  const random = createRandom(20260101);
  const first = Date.UTC(2025, 0, 1);
  const work = Array.from({ length: pieces }, (_, number) => {
    const [area, other] = random.shuffled(areas) as [string, string];
    const [verb, object] = [random.pick(verbs), random.pick(objects)];
    const path = `src/${area}/${area}.ts`;
    const reason = `${random.pick(reasons)}, with ${random.pick(objects)} in the ${other}. ${random.pick(effects)}.`;
    const acts: Placed['act'][] = [
      { kind: 'prompt', text: `Please ${verb} ${object} in the ${area}.` },
      { kind: 'edit', path },
      { kind: 'command', command: `npm test -- ${path}`, output: 'ok' },
      { kind: 'answer', text: `Done in ${path}. ${reason}` },
      { kind: 'commit', message: `${area}: ${verb} ${object}\n\n${reason}`, files: [path] },
    ];
    const at = first + number * 36 * hour;
    const placed = acts.map((act, step) => ({
      act,
      at: at + step * 20_000,
      agentSession: `session-${number}`,
      turn: `turn-${number}`,
    }));
    return {
      placed,
      questions: [`why did we ${verb} ${object}`, `what happens with ${object} in the ${area}`],
    };
  });
  return {
    placed: work.flatMap(({ placed }) => placed),
    questions: [...new Set(work.flatMap(({ questions }) => questions))],
  };
}
