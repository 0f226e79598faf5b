/**
 * `npm run mutants [-- --seed N] [--count N] [--only FOLDER]` applies one-token faults to the source, one at a time,
 * and runs the unit tests that import the changed file. A fault that no test notices is a survivor. The command fails
 * if fewer than 95 % are noticed, or if one of those that `alwaysTried` names survives.
 *
 * The faults are drawn from the syntax tree by a hash of the seed and the fault, so that a change elsewhere in the code
 * leaves the draw as it is. Everything happens in a copy of the checkout.
 *
 * `equivalent-mutants.json` lists faults that no test can notice, with the reason. They are not tried.
 */
import { execFileSync, spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Node } from 'web-tree-sitter';
import { systemClock } from '../src/base/clock.ts';
import { createGrammarParser } from '../src/code/symbols/parser.ts';

interface Mutant {
  path: string;
  /** The text of the line, without indentation. */
  line: string;
  /** What changes, and which of several places with the same text it is, such as `&& → || #2`. */
  mutation: string;
  from: number;
  to: number;
  replacement: string;
}

/** Where the promises are kept. The rest of the code is covered by tests of behaviour and by evaluations. */
const folders = [
  'src/code/pattern',
  'src/code/index',
  'src/recall',
  'src/store/events',
  'src/git',
  'src/memory/prelude',
  'src/memory/redact',
  'src/memory/capture',
  'src/hooks',
  'src/drift',
  'src/why',
  'src/team/people',
];
const minKilledShare = 0.95;
/**
 * Tests run nearest first, up to these: the nearest three notice most faults. A fault that only a test far away notices
 * is guarded by luck, and looking for one takes minutes.
 */
const groupEnds = [3, 12, 60];

type Site = Pick<Mutant, 'path' | 'line' | 'mutation'>;
const isAt = (site: Site) => (other: Site) =>
  site.path === other.path && site.line === other.line && site.mutation === other.mutation;

/** Faults that once every unit test passed. The first two lost matches of code search. */
const alwaysTried: Site[] = [
  {
    path: 'src/code/pattern/plan.ts',
    line: 'if (min === max && min <= maxWordLength) return needed;',
    mutation: '&& → ||',
  },
  {
    path: 'src/code/pattern/required-bytes.ts',
    line: 'if (needed !== undefined && min === max && min <= maxRepeated) return;',
    mutation: '&& → ||',
  },
  {
    path: 'src/recall/gather.ts',
    line: ': [question, ...question.wordings.slice(0, 1)].map((asked) => ({ ...asked, size: poolSizeOfSeveral }));',
    mutation: '1 - 1',
  },
  {
    path: 'src/why/find-writers.ts',
    line: 'if (path === line.path) return countOf(line, now) <= countOf(line, before);',
    mutation: '<= → <',
  },
  {
    path: 'src/drift/trace-anchors.ts',
    line: 'return best.share >= minSharedLines ? best.path : undefined;',
    mutation: '>= → >',
  },
  {
    path: 'src/team/people/authorship.ts',
    line: "const isOperator = ({ kind, role }: Writer): boolean => kind === 'user' && role === 'owner';",
    mutation: '&& → ||',
  },
  {
    path: 'src/memory/prelude/prelude-notes.ts',
    line: "note.state === 'active' && note.trust >= 2 && !isWithheld(note);",
    mutation: '2 - 1',
  },
  {
    path: 'src/hooks/run-hook.ts',
    line: "if ((isDue || call.event === 'prompt') && place.head !== '') {",
    mutation: '!== → ===',
  },
];

const root = join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '30' },
    count: { type: 'string', default: '22' },
    only: { type: 'string' },
  },
});

const swaps: Record<string, string> = {};
for (const pair of ['&& ||', '< <=', '> >=', '=== !==', '+ -', '+= -=', '++ --', 'true false']) {
  const [a, b] = pair.split(' ') as [string, string];
  Object.assign(swaps, { [a]: b, [b]: a });
}

/** Types cannot fail at run time, and no test should depend on the words of a message. */
const isSkipped = (type: string): boolean =>
  /^(?:comment|import_statement|template_string|string|regex)$|^type_|_type$|^interface_/.test(type);
const hasOperator = /^(?:binary|augmented_assignment|update|unary)_expression$/;
const ternaryAround = ({ parent }: Node): string => {
  const branch = parent?.type === 'unary_expression' ? parent.parent : parent;
  return branch?.type === 'ternary_expression' ? branch.text : '';
};
/**
 * A number in a declaration or a table, such as `32 * 1024`, is a setting: evaluations measure it. Of the result of a
 * comparison, `a < b ? -1 : 1`, only the sign counts.
 */
const isSetting = (node: Node): boolean => {
  if (node.text === '1' && /^[^?]*[<>][^?]*\? -?1 : (?:-?1|0)$/.test(ternaryAround(node))) return true;
  let parent = node.parent?.type === 'unary_expression' ? node.parent.parent : node.parent;
  while (parent !== null && /^[\w ]+(?:[*<]+[\w ]+)+$/.test(parent.text)) parent = parent.parent;
  return /^(?:variable_declarator|pair|array)$/.test(parent?.type ?? '');
};

function mutantsIn(path: string, text: string, tree: Node): Mutant[] {
  const found: Mutant[] = [];
  const add = (node: Node, replacement: string, mutation: string, to = node.endIndex): void => {
    const lineStart = text.lastIndexOf('\n', node.startIndex) + 1;
    const line = text.slice(lineStart, text.indexOf('\n', node.startIndex)).trim();
    const same = found.filter((other) => other.line === line && other.mutation.split(' #')[0] === mutation);
    const name = same.length === 0 ? mutation : `${mutation} #${same.length + 1}`;
    found.push({ path, line, mutation: name, from: node.startIndex, to, replacement });
  };
  const visit = (node: Node): void => {
    if (isSkipped(node.type)) return;
    const operator = hasOperator.test(node.type) ? node.childForFieldName('operator') : null;
    const token = operator ?? (/^(?:true|false)$/.test(node.type) ? node : null);
    const other = token === null ? undefined : swaps[token.text];
    if (token !== null && other !== undefined) add(token, other, `${token.text} → ${other}`);
    if (operator?.text === '!') add(operator, '', 'no !');
    if (node.type === 'number' && !isSetting(node)) {
      const one = node.text.endsWith('n') ? '1n' : '1';
      for (const sign of ['+', '-'])
        add(node, `(${node.text} ${sign} ${one})`, `${node.text} ${sign} ${one}`);
    }
    if (/^(?:expression|throw)_statement$/.test(node.type)) add(node, ';', 'no statement');
    if (node.type === 'statement_block' && /function|arrow|method/.test(node.parent?.type ?? ''))
      add(node, '{ return;', 'return early', node.startIndex + 1);
    for (const child of node.children) if (child !== null) visit(child);
  };
  visit(tree);
  return found;
}

const list = (...args: string[]): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...args], {
    cwd: root,
    encoding: 'utf8',
  })
    .trim()
    .split('\n');

/** For each unit test, the files that it imports, with the number of imports in between. */
function distancesOfTests(): Map<string, Map<string, number>> {
  const files = list('*.ts', '*.tsx');
  const pattern = /^(?:import|export)\s+(?!type\b)[^;]*?from\s+'(\.[^']+)'|import\('(\.[^']+)'\)/gms;
  const imports = new Map(
    files.map((file) => [
      file,
      Array.from(readFileSync(join(root, file), 'utf8').matchAll(pattern), ([, a, b]) =>
        join(dirname(file), (a ?? b) as string),
      ),
    ]),
  );
  const tests = files.filter((file) => /^src\/.*\.test\.ts$/.test(file));
  return new Map(
    tests.map((test) => {
      const distances = new Map([[test, 0]]);
      for (const [file, distance] of distances)
        for (const next of imports.get(file) ?? [])
          if (!distances.has(next)) distances.set(next, distance + 1);
      return [test, distances];
    }),
  );
}

/**
 * Runs tests in the copy and returns the name of the first that fails. On a busy machine a test may take long, so only
 * processor time is limited: a run that exceeds the limit is in an endless loop.
 */
async function failedTest(copy: string, tests: string[]): Promise<string | undefined> {
  if (tests.length === 0) return undefined;
  const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'unit', '--bail', '1'];
  const patient = ['--testTimeout', '1800000', '--hookTimeout', '1800000', '--maxWorkers', '1', '--no-color'];
  const limited = ['-c', `ulimit -t ${30 + 2 * tests.length}; exec "$@"`, 'sh', process.execPath, ...vitest];
  const child = spawn('sh', [...limited, ...patient, ...tests], {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => {
      output += data;
    });
  const [status] = await once(child, 'close');
  if (status === 0) return undefined;
  return /FAIL\s+(.*)/.exec(output)?.[1] ?? 'the limit of processor time';
}

function copyCheckout(): string {
  const copy = mkdtempSync(join(tmpdir(), 'backstory-mutants-'));
  for (const file of list()) cpSync(join(root, file), join(copy, file), { verbatimSymlinks: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
  return copy;
}

const isNamed = (mutant: Mutant): boolean => alwaysTried.some(isAt(mutant));
const rank = ({ path, line, mutation }: Mutant): string =>
  hash('sha1', [values.seed, path, line, mutation].join('\n'));
const byRank = (a: Mutant, b: Mutant): number => (rank(a) < rank(b) ? -1 : 1);

/** The named ones, then the others of all folders in the order of the draw, so that the first of them are a fair part. */
async function drawMutants(): Promise<Mutant[]> {
  const parse = createGrammarParser(join(root, 'assets/grammars'), systemClock);
  const drawn: Mutant[] = [];
  for (const folder of folders) {
    const all: Mutant[] = [];
    for (const path of list(`${folder}/*.ts`)
      .filter((path) => !path.endsWith('.test.ts'))
      .sort()) {
      const text = readFileSync(join(root, path), 'utf8');
      const deadline = systemClock.now() + 60_000;
      all.push(
        ...((await parse('typescript', text, deadline, ({ rootNode }) => mutantsIn(path, text, rootNode))) ??
          []),
      );
    }
    const others = all.filter((mutant) => !isNamed(mutant)).sort(byRank);
    drawn.push(...all.filter(isNamed), ...others.slice(0, Number(values.count)));
  }
  if (!alwaysTried.every((named) => drawn.some(isAt(named))))
    throw new Error('alwaysTried names a line that is no longer there');
  drawn.sort((a, b) => Number(isNamed(b)) - Number(isNamed(a)) || byRank(a, b));
  return drawn.filter(({ path }) => values.only === undefined || path.startsWith(`${values.only}/`));
}

const equivalent: (Site & { reason: string })[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'equivalent-mutants.json'), 'utf8'),
);
const mutants = await drawMutants();

const distances = distancesOfTests();
const testsOf = (path: string): string[] => {
  const distance = (test: string): number => distances.get(test)?.get(path) ?? Number.POSITIVE_INFINITY;
  return [...distances.keys()]
    .filter((test) => Number.isFinite(distance(test)))
    .sort((a, b) => distance(a) - distance(b));
};
// Two at once, each in a copy of its own.
const copies = [copyCheckout(), copyCheckout()];
const allTests = [...new Set(mutants.flatMap(({ path }) => testsOf(path)))];
const failed = await Promise.all(
  copies.map((copy, half) =>
    failedTest(
      copy,
      allTests.filter((_, at) => at % copies.length === half),
    ),
  ),
);
for (const name of failed) if (name !== undefined) throw new Error(`Without any fault, this fails: ${name}`);

const results: (Mutant & { outcome: string })[] = [];
async function tryMutant(copy: string, mutant: Mutant): Promise<string> {
  const { path, from, to, replacement } = mutant;
  const known = equivalent.find(isAt(mutant));
  if (known !== undefined) return `equivalent: ${known.reason}`;
  const text = readFileSync(join(copy, path), 'utf8');
  writeFileSync(join(copy, path), text.slice(0, from) + replacement + text.slice(to));
  let killedBy: string | undefined;
  for (const [at, end] of groupEnds.entries())
    killedBy ??= await failedTest(copy, testsOf(path).slice(groupEnds[at - 1] ?? 0, end));
  writeFileSync(join(copy, path), text);
  return killedBy === undefined ? 'survived' : `killed by ${killedBy}`;
}
const waiting = [...mutants];
await Promise.all(
  copies.map(async (copy) => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const outcome = await tryMutant(copy, mutant);
      results.push({ ...mutant, outcome });
      console.error([results.length, outcome, mutant.path, mutant.mutation, mutant.line].join('\t'));
    }
  }),
);

const of = (folder: string, outcome: RegExp) =>
  results.filter((each) => each.path.startsWith(`${folder}/`) && outcome.test(each.outcome)).length;
console.table(
  Object.fromEntries(
    [...folders, 'src'].map((folder) => [
      folder,
      { killed: of(folder, /^k/), survived: of(folder, /^s/), equivalent: of(folder, /^e/) },
    ]),
  ),
);
const survivors = results.filter(({ outcome }) => outcome === 'survived');
const share = of('src', /^k/) / (of('src', /^k/) + survivors.length);
console.log(
  JSON.stringify({ seed: Number(values.seed), killed: of('src', /^k/), share, survivors }, null, 1),
);
const hasNamed = survivors.some((each) => alwaysTried.some(isAt(each)));
process.exitCode = share < minKilledShare || hasNamed ? 1 : 0;
