import { globSync, readFileSync } from 'node:fs';
import { designs, type Promised, securityProofs } from '../test/requirements.ts';

/** What the product has, by which the names on the page are checked. */
export interface Surface {
  /** Command lines as `--help` shows them, without the name of the program. */
  usages: string[];
  tools: string[];
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

/** Names of commands, tools and routes in the table of designs that do not exist, and old routes that it lacks. */
export function unknownNames(rows: string[], { usages, tools, routes }: Surface): string[] {
  const names = rows.flatMap((row) => (row.split(' | ')[1] ?? '').split(', '));
  const known = new Set([...tools, ...routes, 'hooks', 'all tools']);
  const lines = usages.map((usage) => ['backstory', ...usage.split(/[^\w-]+/)]);
  // Words in capitals are values.
  const isCommand = (name: string): boolean => {
    const words = name.split(' ').filter((word) => word !== word.toUpperCase());
    return lines.some((line) => line[1] === words[1] && words.every((word) => line.includes(word)));
  };
  const isKnown = (name: string): boolean =>
    name.startsWith('backstory ') ? isCommand(name) : known.has(name);
  return names.filter((name) => !isKnown(name));
}

/** The page, or an error that names each row whose test or target does not exist. */
export function coveragePage(promises: Promised[], surface: Surface, table: Table): string {
  const rows = Object.values(designs).flat();
  const faults = [
    ...promiseFaults(promises, citedTags()),
    ...unknownNames(rows, surface).map((name) => `the table of designs names ${name}, which does not exist`),
  ];
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const areas = [...new Set(promises.map(({ area }) => area))].map((area) => {
    const tags = promises.filter((promise) => promise.area === area).map(({ tag }) => tag);
    return [area, tags.join(', ')];
  });
  const capabilities = Object.entries(designs).flatMap(([design, lines]) => [
    `### ${design}`,
    table(
      ['capability', 'provided by'],
      lines.map((line) => {
        const [capability = '', names = ''] = line.split(' | ');
        return [capability, names.replaceAll(/[^,]+/g, (name) => name.replace(/\S.*/, '`$&`'))];
      }),
    ),
  ]);
  return [
    '# Coverage',
    '`npm run check` fails if a test, command, tool or route on this page does not exist.',
    '## Promises',
    `Backstory makes ${promises.length} promises to its users. Each has a tag, and at least one test has that tag in its title. \`test/requirements.ts\` has the sentence for each tag. A release needs a run in which a test of every promise passed.`,
    table(['area', 'tags'], areas),
    '[SECURITY](../../SECURITY.md) is proven by:',
    table(
      ['paragraph', 'tags'],
      Object.entries(securityProofs).map(([paragraph, tags]) => [paragraph, tags.join(', ')]),
    ),
    '## The five earlier designs',
    'Backstory combines five earlier designs. Tools and routes keep their names there as aliases. Four things differ everywhere: there is no second runtime, no resident process, no model download, and memory is in your home folder instead of the repository. Missing are code search by meaning, prose summaries written by a model, and triples extracted by a model.',
    ...capabilities,
  ].join('\n\n');
}

type Table = (head: string[], body: string[][]) => string;
