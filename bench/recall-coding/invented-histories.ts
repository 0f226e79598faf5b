import { sha256 } from '../../src/base/ids.ts';
import { createRandom, type Random } from '../../test/harness/random.ts';
import type { HistoricCommit, History } from './histories.ts';

const names =
  `ledger-api parcel-tracker photo-sorter ticket-desk tide-charts seat-planner bread-orders lab-samples
  bike-rental choir-notes fleet-monitor garden-log house-meter job-board kiosk-menu loan-books map-tiles
  night-shift oven-control poll-maker queue-board ride-share song-finder tool-crib`.split(/\s+/);
const areas = `parser router session cache queue report upload search billing export import mail schema auth`;
const verbs = `Reject Accept Keep Drop Split Merge Delay Retry Validate Sort Count Escape Stream Lock`;
const objects = `empty rows|late answers|duplicate keys|long names|torn records|stale tokens|foreign currencies|nested lists|
  unknown fields|slow clients|odd headers|old formats|partial uploads|broken links|hidden folders|leap seconds`;
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

const list = (text: string, mark: RegExp): string[] => text.split(mark).map((word) => word.trim());

/**
 * Generates histories from word lists, for machines without real ones. Their sentences are simpler than real ones, so
 * their figures show that the evaluation runs, and little about recall.
 */
export function inventHistories(count: number): History[] {
  return names.slice(0, count).map((name) => {
    const random = createRandom(Number.parseInt(sha256(name).slice(0, 8), 16));
    const first = Date.UTC(2025, 0, 1);
    const commits = Array.from({ length: 300 }, (_, at) =>
      invent(name, at, first + at * 36 * 3_600_000, random),
    );
    return { name, commits };
  });
}

function invent(name: string, number: number, at: number, random: Random): HistoricCommit {
  const area = random.pick(list(areas, /\s+/));
  const object = random.pick(list(objects, /\|/));
  const other = random.pick(list(objects, /\|/));
  const subject = `${random.pick(list(verbs, /\s+/))} ${object} in the ${area}`;
  const body = `${random.pick(reasons)}, with ${other} in the ${random.pick(list(areas, /\s+/))}. ${random.pick(effects)}.`;
  return {
    hash: sha256(`${name} ${number}`).slice(0, 40),
    at,
    author: random.pick(['Ada', 'Boris', 'Chiara']),
    message: random.chance(0.6) ? `${subject}\n\n${body}` : subject,
    files: [
      `src/${area}/${area}.ts`,
      `src/${area}/${object.replaceAll(' ', '-')}.ts`,
      `test/${area}.test.ts`,
    ],
  };
}
