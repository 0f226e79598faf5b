import { globSync, readFileSync } from 'node:fs';
import { type Promised, securityProofs } from '../test/requirements.ts';
import { departures, designs } from './source-designs.ts';

/** What the product has, by which the names on the page are checked. */
export interface Surface {
  /** Command lines as `--help` shows them, without the name of the program. */
  usages: string[];
  /** Routes such as `GET /api/v1/recall`. */
  routes: string[];
}

/** Tags in the titles of tests. */
export const citedTags = (): Set<string> =>
  new Set(
    globSync(['{src,client,web,test}/**/*.test.ts', 'test/{contract,e2e/agents}/*.ts']).flatMap((file) =>
      [
        ...readFileSync(file, 'utf8').matchAll(
          /\b(?:it|test|describe)(?:\.\w+(?:\([^)]*\))?)*\(\s*[`'"]\[([\w-]+)\]/g,
        ),
      ].map(([, tag]) => tag as string),
    ),
  );

/** What is wrong with the promises: without a test, unknown to the list, or listed twice. */
export function promiseFaults(promises: Promised[], cited: Set<string>): string[] {
  const tags = promises.map(({ tag }) => tag);
  const isProof = (tag: string): boolean => tags.includes(tag) && cited.has(tag);
  const paragraphs = [...protections().matchAll(/^- \*\*([^*.']+)/gm)].map(([, words]) => words as string);
  return [
    ...tags.filter((tag) => !cited.has(tag)).map((tag) => `no test has the tag [${tag}] in its title`),
    ...tags.filter((tag, at) => tags.indexOf(tag) !== at).map((tag) => `the tag [${tag}] is listed twice`),
    ...[...cited].filter((tag) => !tags.includes(tag)).map((tag) => `no promise has the tag [${tag}]`),
    ...paragraphs
      .filter((words) => securityProofs[words]?.every(isProof) !== true)
      .map((words) => `SECURITY.md, "${words}": no row in test/requirements.ts, or one with an unknown tag`),
  ];
}

const protections = (): string =>
  readFileSync('SECURITY.md', 'utf8').split('## What it cannot do')[0] as string;

interface Call {
  text: string;
  /** A word of the answer. */
  wanted: string;
  /** It needs a team server, so it is not made, and only its name is checked. */
  isTeams: boolean;
}

const isTag = (entry: string): boolean => /^\[[\w-]+\]$/.test(entry);

/** The calls of a row of the table of designs. */
export const callsOf = ([, ...entries]: string[]): Call[] =>
  entries
    .filter((entry) => !isTag(entry))
    .map((entry) => {
      const [text = '', wanted = ''] = entry.split(' → ');
      return { text, wanted, isTeams: /\/:|^backstory team /.test(text) };
    });

/** What is wrong with a row of the table of designs. The calls that are made need no check here. */
export function rowFaults(
  row: string[],
  { usages, routes }: Surface,
  isProof: (tag: string) => boolean,
): string[] {
  const tags = row.filter(isTag).map((tag) => tag.slice(1, -1));
  const calls = callsOf(row);
  const lines = usages.map((usage) => ['backstory', ...usage.split(/[^\w-]+/)]);
  const isKnown = (text: string): boolean =>
    routes.includes(text) || lines.some((line) => text.split(' ').every((word) => line.includes(word)));
  const unknown = calls.filter(({ text, isTeams }) => isTeams && !isKnown(text)).map(({ text }) => text);
  const isTried = calls.some(({ isTeams }) => !isTeams) || tags.length > 0;
  return [
    ...unknown,
    ...tags.filter((tag) => !isProof(tag)),
    ...(isTried ? [] : ['nothing that is tried']),
  ].map((fault) => `the table of designs, "${row[0]}": ${fault}`);
}

/** The page, or an error that names each row whose test or target does not exist. */
export function coveragePage(promises: Promised[], surface: Surface, table: Table): string {
  const cited = citedTags();
  const tags = new Set(promises.map(({ tag }) => tag));
  const faults = [
    ...promiseFaults(promises, cited),
    ...Object.values(designs)
      .flat()
      .flatMap((row) => rowFaults(row, surface, (tag) => tags.has(tag) && cited.has(tag))),
  ];
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const capabilities = Object.entries(designs).flatMap(([design, rows]) => [
    `### ${design}`,
    rows.map(capabilityLine).join('\n'),
    'Not as in the design:',
    table(['what', 'why'], departures[design] ?? []),
  ]);
  return [
    '# Coverage',
    '`test/e2e/source-designs.test.ts` makes every call on this page. `scripts/source-designs.ts` names the tests of each capability; `npm run check` fails if one does not exist.',
    '## Promises',
    `Backstory makes ${promises.length} promises to its users. Each has a tag, and at least one test has that tag in its title. \`test/requirements.ts\` has the sentence for each tag. A release needs a run in which a test of every promise passed.`,
    '[SECURITY](../../SECURITY.md) is proven by:',
    table(
      ['paragraph', 'tags'],
      Object.entries(securityProofs).map(([paragraph, tags]) => [paragraph, tags.join(', ')]),
    ),
    '## The five earlier designs',
    'Backstory combines five earlier designs. Tools and routes keep their names there as aliases. Four things differ everywhere: there is no second runtime, no resident process, no model download, and memory is in your home folder instead of the repository. What is not as in a design is below each table, with the reason.',
    ...capabilities,
  ].join('\n\n');
}

/** A capability and its name here. What has no call of its own is proven by tests alone. */
const capabilityLine = (row: string[]): string => {
  const calls = callsOf(row).map(({ text }) => `\`${text}\``);
  return `- ${row[0]}${calls.length === 0 ? '' : `: ${calls.join(', ')}`}`;
};

type Table = (head: string[], body: string[][]) => string;
