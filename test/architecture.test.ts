import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  commandLine,
  hookBundles,
  hookPrograms,
  launchers,
  programs,
  recallBundles,
} from '../scripts/entry-points.ts';

/**
 * The architecture rules as data. Each rule has an example that violates it, and a test checks that the example
 * is reported, because a rule that cannot fail protects nothing.
 */
interface Source {
  path: string;
  text: string;
}

interface Rule {
  name: string;
  breaks(source: Source, all: Source[]): string[];
  /** Files that violate the rule, checked in place of the real sources. */
  example: Source[];
}

/** Folders of src, from the top layer to the bottom one. A folder may import only from layers below its own. */
const rows = [
  ['cmd'],
  ['team'],
  ['cli', 'hooks', 'http', 'mcp', 'lsp'],
  ['api'],
  ['remote', 'wire', 'attribution'],
  ['handoff', 'pack', 'why', 'knowledge'],
  ['memory'],
  ['memo', 'drift'],
  ['recall', 'code', 'distil', 'spend'],
  ['store', 'models', 'agents'],
  ['text', 'git'],
  // Schemas of answers. Code that makes a part of an answer uses the type that is inferred from its schema.
  ['wire/answers'],
  ['domain'],
  ['base'],
];

const folderOf = (path: string): string =>
  path.startsWith('src/wire/answers/') ? 'wire/answers' : (path.split('/')[1] ?? '');
const rowOf = (path: string): number => rows.findIndex((row) => row.includes(folderOf(path)));
const specifiers = (text: string): string[] =>
  [...text.matchAll(/(?:\bfrom\s+|\bimport\(\s*|^import\s+)'([^']+)'/gm)].map((match) => match[1] as string);
const localImports = ({ path, text }: Source): string[] =>
  specifiers(text)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => posix.normalize(posix.join(dirname(path), specifier)));
const packages = ({ text }: Source): string[] =>
  specifiers(text).filter((specifier) => !specifier.startsWith('.') && !specifier.startsWith('node:'));
const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '');

const only = (allowed: RegExp, pattern: RegExp, what: string) => (source: Source) =>
  !allowed.test(source.path) && pattern.test(withoutComments(source.text)) ? [`${source.path} ${what}`] : [];

/** All source files that a program imports, starting at its entry file; without type imports, those that it loads. */
function closure(entry: string, all: Source[], hasTypes = true): Set<Source> {
  const known = closures.get(all) ?? new Map<string, Set<Source>>();
  closures.set(all, known);
  const key = `${entry} ${hasTypes}`;
  const found = known.get(key) ?? new Set<Source>();
  if (known.has(key)) return found;
  known.set(key, found);
  const byPath = new Map(all.map((source) => [source.path, source]));
  const visit = (path: string): void => {
    const source = byPath.get(path);
    if (source === undefined || found.has(source)) return;
    found.add(source);
    const text = hasTypes
      ? source.text
      : source.text.replace(/^import type [^;]*;|typeof import\([^)]*\)/gm, '');
    for (const imported of localImports({ path, text })) visit(imported);
  };
  visit(entry);
  return found;
}
/** Each rule asks for them once per file. */
const closures = new WeakMap<Source[], Map<string, Set<Source>>>();

/**
 * Source files that may read files without `base/checkout-file.ts`, grouped by what they read. A static check cannot
 * tell whether a path is in a checkout, so every file that reads is listed, and only if nothing it reads is in one.
 */
const readers: Record<string, (string | RegExp)[]> = {
  'the reader itself': ['src/base/checkout-file.ts', 'src/base/plain-file.ts'],
  'the Backstory home folder': [
    /^src\/base\/(?:config|files|lines|serve-files|sign-in-codes)\.ts$/,
    /^src\/(?:remote|spend)\//,
    /^src\/store\/(?:events|notes|snapshots|sqlite)\//,
    /^src\/code\/(?:index\/|open-index\.ts$|words\/word-file\.ts$)/,
    'src/cli/import.ts',
    'src/cmd/drain.ts',
    'src/cmd/hook.ts',
    'src/cmd/hook-cache.ts',
    'src/cmd/warm-hooks.ts',
    'src/cmd/serve.ts',
    'src/cmd/startup-tuning.ts',
    'src/handoff/read-ledger.ts',
    'src/http/project-changes.ts',
    'src/http/server.ts',
    'src/memory/archive.ts',
    'src/memory/projects/device.ts',
    'src/memory/projects/failures.ts',
    'src/memory/projects/install-records.ts',
    'src/memory/projects/project-commands.ts',
    'src/memory/capture/command-edits.ts',
    'src/memory/capture/compare-files.ts',
    'src/memory/capture/lost-writes.ts',
    'src/memory/capture/past-transcripts.ts',
    'src/memory/prelude/command-lines.ts',
    'src/memory/prelude/prelude-file.ts',
    'src/memory/prelude/told-lines.ts',
    'src/memory/prompt-context/told-sessions.ts',
    'src/memory/prompt-context/topic-table.ts',
    'src/memory/notes/learning-runs.ts',
    'src/memory/notes/pending-answer.ts',
    'src/memory/rules/rule-table.ts',
    'src/memory/redact/project-redactor.ts',
    'src/memory/project-status.ts',
    'src/memory/retention.ts',
    'src/memory/scan.ts',
    'src/memory/team-cache.ts',
    'src/memory/projects/pauses.ts',
    'src/remote/ask-team.ts',
  ],
  'the Backstory home folder, and whether or where a checkout exists': [
    'src/cli/capture-projects.ts',
    'src/http/parts.ts',
    'src/memory/projects/activation.ts',
    'src/memory/capture/commits.ts',
    'src/memory/drain.ts',
    'src/memory/projects/project-root.ts',
    'src/memory/projects/cached-place.ts',
    'src/memory/projects/projects.ts',
  ],
  'whether or where a checkout exists': [
    'src/cmd/open-code.ts',
    'src/http/code.ts',
    'src/http/projects.ts',
    'src/why/target.ts',
  ],
  'the git directory': [
    /^src\/git\/(?:git-dir|git-folders|head|isolated-git-dir|own-commits|repository)\.ts$/,
  ],
  'the Backstory package': [
    'src/agents/editors.ts',
    'src/agents/skill-files.ts',
    'src/cli/doctor.ts',
    'src/cmd/package.ts',
    'src/code/symbols/parser.ts',
    'src/api/static-files.ts',
    'src/models/static-embed.ts',
    'src/team/postgres/migrate.ts',
  ],
  "an agent's transcripts and the user's own settings of it": [
    /^src\/agents\/[\w-]+\/(?:transcript|history|database)\.ts$/,
    /^src\/agents\/transcript(?:s|-messages|-source)\.ts$/,
    'src/agents/read-settings.ts',
    'src/agents/setups.ts',
    'src/memo/changes-since.ts',
    'src/memory/capture/read-transcripts.ts',
    'src/memory/capture/past-transcripts.ts',
    'src/models/codex-write.ts',
  ],
  "another tool's store in the user's home": ['src/store/foreign/claude-mem.ts'],
  'programs of this machine': [
    'src/cli/find-program.ts',
    'src/git/git-program.ts',
    'src/memory/installation-checks.ts',
  ],
  'folders that an install is about to create': ['src/cli/settings-edits.ts'],
  'a temporary file opened in an editor': ['src/cli/edit.ts'],
  'kernel limits': ['src/code/folder-watch.ts'],
  'a file named by an operator': ['src/cmd/team.ts'],
  'processes and the terminal': ['src/cmd/detect-caller.ts', 'src/agents/processes.ts'],
};

const readingNames =
  /\b(?:access|createReadStream|exists|glob|lstat|open|openAsBlob|opendir|promises|readFile|readdir|readlink|realpath|stat|statfs)(?:Sync)?\b/;
const homeReadingNames = /\b(?:isFolder|readIfThere|readJson|readLines|readRange)\b/;

/** The modules through which a file can read other files. Type imports do not count. */
function readsBy({ path, text }: Source): string[] {
  const code = withoutComments(text);
  const imports = [...code.matchAll(/^import (?!type )([^;]*?) from '([^']+)'/gm)].map(
    ([, names = '', from = '']) => ({ names: names.replace(/\btype \w+/g, ''), from }),
  );
  const isHome = (from: string) =>
    from.startsWith('.') &&
    /^src\/base\/(?:files|lines)\.ts$/.test(posix.normalize(posix.join(dirname(path), from)));
  return [
    ...imports
      .filter(
        ({ names, from }) =>
          /^(?:node:)?fs$/.test(from) && (readingNames.test(names) || !names.startsWith('{')),
      )
      .map(() => 'node:fs'),
    ...imports.filter(({ from }) => /^(?:node:)?fs\/promises$/.test(from)).map(() => 'node:fs/promises'),
    ...imports
      .filter(({ names, from }) => isHome(from) && homeReadingNames.test(names))
      .map(({ from }) => from),
    ...[...code.matchAll(/(?:getBuiltinModule|require|import)\(\s*'((?:node:)?fs(?:\/promises)?)'/g)].map(
      ([, from]) => from as string,
    ),
  ];
}

const isReader = (path: string): boolean =>
  Object.values(readers)
    .flat()
    .some((known) => (typeof known === 'string' ? known === path : known.test(path)));

/** What the hook loads for any call, from the list that the build bundles. */
const hookEntries = Object.values({ ...hookPrograms, ...hookBundles });
const allEntries = [...hookEntries, ...Object.values(recallBundles), commandLine, ...launchers, ...programs];
const isInHook = (source: Source, all: Source[]): boolean =>
  hookEntries.some((entry) => closure(entry, all, false).has(source));

const reachableOf = new WeakMap<Source[], Set<Source>>();

/** All source files that any program loads. */
function reachable(all: Source[]): Set<Source> {
  const known = reachableOf.get(all) ?? new Set(allEntries.flatMap((entry) => [...closure(entry, all)]));
  reachableOf.set(all, known);
  return known;
}

/** Imports that run when the module is loaded: neither type imports nor `import()`. */
const runtimeImports = ({ path, text }: Source): string[] =>
  [...text.matchAll(/^(?:import|export)\s+(?!type\b)([^;]*?)\s*from\s+'(\.[^']+)'/gm)]
    .filter((match) => !/^\{(?:\s*type\s+\w+(?:\s+as\s+\w+)?\s*,?)+\s*\}$/.test(match[1] as string))
    .map((match) => posix.normalize(posix.join(dirname(path), match[2] as string)));

const cyclesIn = new WeakMap<Source[], string[][]>();

/** Import cycles, each as the list of its modules, found by depth-first search. */
function runtimeCycles(all: Source[]): string[][] {
  const known = cyclesIn.get(all);
  if (known !== undefined) return known;
  const byPath = new Map(all.map((source) => [source.path, source]));
  const cycles: string[][] = [];
  const done = new Set<string>();
  const visit = (path: string, way: string[]): void => {
    if (way.includes(path)) cycles.push(way.slice(way.indexOf(path)));
    const source = byPath.get(path);
    if (source === undefined || done.has(path) || way.includes(path)) return;
    for (const to of runtimeImports(source)) visit(to, [...way, path]);
    done.add(path);
  };
  for (const { path } of all) visit(path, []);
  cyclesIn.set(all, cycles);
  return cycles;
}

const rules: Rule[] = [
  {
    name: 'only base/checkout-file.ts reads files of a checkout',
    breaks: (source) =>
      isReader(source.path)
        ? []
        : readsBy(source).map(
            (from) =>
              `${source.path} reads files with ${from}: use base/checkout-file.ts, or add it to \`readers\` in this test`,
          ),
    example: [
      { path: 'src/memory/a.ts', text: `import { readFileSync } from 'node:fs';` },
      { path: 'src/memory/b.ts', text: `import {\n  type Stats,\n  statSync,\n} from 'node:fs';` },
      { path: 'src/memory/c.ts', text: `import { readFile } from 'node:fs/promises';` },
      { path: 'src/memory/d.ts', text: `import * as fs from 'node:fs';` },
      { path: 'src/memory/e.ts', text: `import { readIfThere } from '../base/files.ts';` },
      { path: 'src/memory/f.ts', text: `const { openSync } = process.getBuiltinModule('node:fs');` },
      { path: 'src/memory/g.ts', text: `import { readLines } from '../base/lines.ts';` },
    ],
  },
  {
    name: 'every source file is reachable from a program',
    breaks: (source, all) => (reachable(all).has(source) ? [] : [`${source.path} is used by no program`]),
    example: [
      { path: 'src/cmd/main.ts', text: '' },
      { path: 'src/text/example.ts', text: 'export const unused = 1;' },
    ],
  },
  {
    name: 'modules have no import cycles at run time',
    breaks: ({ path }, all) =>
      runtimeCycles(all)
        .filter(([first]) => first === path)
        .map((cycle) => `${cycle.join(' imports ')} imports ${path}`),
    example: [
      { path: 'src/text/one.ts', text: `import { two } from './two.ts';` },
      { path: 'src/text/two.ts', text: `import { one } from './one.ts';` },
    ],
  },
  {
    name: 'a folder imports only from folders in the layers below its own',
    breaks: (source) =>
      localImports(source)
        .filter((to) => folderOf(to) !== folderOf(source.path) && rowOf(to) <= rowOf(source.path))
        .map((to) => `${source.path} imports ${to}`),
    example: [{ path: 'src/store/example.ts', text: `import { redact } from '../memory/redact/redact.ts';` }],
  },
  {
    name: 'every source folder has a layer',
    breaks: ({ path }) => (rowOf(path) === -1 ? [`${path} is in no layer`] : []),
    example: [{ path: 'src/utils/example.ts', text: '' }],
  },
  {
    name: 'only cmd imports a concrete store or model provider',
    breaks: (source) =>
      // The types of a team's store are inferred from its only implementation.
      (source.path.startsWith('src/team/store/') ? runtimeImports : localImports)(source)
        .filter((to) =>
          /^src\/(?:store\/(?:sqlite|notes)\/|team\/postgres\/|models\/(?!(?:embed|write)\.ts$))/.test(to),
        )
        .filter(
          (to) =>
            !/^src\/(?:cmd\/|store\/|team\/postgres\/)/.test(source.path) &&
            !to.startsWith(dirname(source.path)),
        )
        .map((to) => `${source.path} imports ${to}`),
    example: [
      {
        path: 'src/recall/example.ts',
        text: `import { SqliteLogIndex } from '../store/sqlite/log-index.ts';`,
      },
    ],
  },
  {
    name: 'the hook loads no npm package, directly or indirectly',
    breaks: (source, all) =>
      isInHook(source, all) ||
      Object.values(recallBundles).some((entry) => closure(entry, all, false).has(source))
        ? packages(source).map((name) => `${source.path}, which the hook loads, imports ${name}`)
        : [],
    example: [
      { path: 'src/cmd/hook.ts', text: `import { x } from '../text/example.ts';` },
      { path: 'src/text/example.ts', text: `import { z } from 'zod';` },
    ],
  },
  {
    name: 'the hook does not load node:crypto, node:child_process, node:zlib or node:sqlite at startup',
    breaks: (source, all) =>
      isInHook(source, all)
        ? specifiers(source.text)
            .filter((name) =>
              ['node:crypto', 'node:child_process', 'node:zlib', 'node:sqlite'].includes(name),
            )
            .map((name) => `${source.path}, which the hook loads, imports ${name}`)
        : [],
    example: [{ path: 'src/cmd/hook.ts', text: `import { createHash } from 'node:crypto';` }],
  },
  {
    name: "only store, team/postgres and the reader of OpenCode's database contain SQL",
    breaks: only(
      /^src\/(?:store\/|team\/postgres\/|agents\/opencode\/database\.ts$)/,
      /['"`]\s*(?:select\s[^'"`]*\sfrom|insert\s+(?:or\s+\w+\s+)?into|update\s+\w+\s+set|delete\s+from|create\s+(?:virtual\s+)?table)\b/i,
      'contains SQL',
    ),
    example: [{ path: 'src/recall/example.ts', text: 'const q = `select id from chunk where id = ?`;' }],
  },
  {
    name: 'only base/clock.ts reads the clock',
    breaks: only(/^src\/base\/clock\.ts$/, /\bDate\.now\(|\bnew Date\(\s*\)/, 'reads the clock'),
    example: [{ path: 'src/memory/example.ts', text: 'const now = Date.now();' }],
  },
  {
    name: 'only base/ids.ts generates random values',
    breaks: only(
      /^src\/base\/ids\.ts$/,
      /\bMath\.random\(|\brandomUUID\(|\brandomBytes\(/,
      'generates random values',
    ),
    example: [{ path: 'src/memory/example.ts', text: 'const id = Math.random();' }],
  },
  {
    name: 'only git/git.ts starts git, and nothing else in git starts a program',
    breaks: (source) =>
      source.path === 'src/git/git.ts'
        ? []
        : [
            ...only(/^src\/(?!git\/)/, /child_process/, 'starts a program')(source),
            ...only(
              /^$/,
              /\b(?:spawn|exec|execFile|fork)(?:Sync)?\(\s*['"`](?:[^'"`]*[\\/])?git(?:\.exe)?[\s'"`]/,
              'starts git',
            )(source),
            ...only(/^src\/git\//, /['"][./]*\/git\/git\.ts['"]/, 'bypasses git/in-repository.ts')(source),
          ],
    example: [
      { path: 'src/git/example.ts', text: `import { spawn } from 'node:child_process';` },
      { path: 'src/git/lazy.ts', text: `process.getBuiltinModule('child_process').execSync('ls');` },
      { path: 'src/why/example.ts', text: `execFileSync('git', ['log']);` },
      { path: 'src/cmd/example.ts', text: 'spawn("/usr/bin/git", []);' },
      { path: 'src/memory/example.ts', text: 'exec(`git log`);' },
      { path: 'src/handoff/example.ts', text: `import { git } from '../git/git.ts';` },
    ],
  },
  {
    name: 'only cmd and git/git.ts use process.env, process.argv, process.exit or console',
    breaks: only(
      /^src\/(?:cmd\/|git\/git\.ts$)/,
      /\bprocess\.(?:env|exit|argv)\b|\bconsole\.\w/,
      'uses the process or the console',
    ),
    example: [{ path: 'src/cli/example.ts', text: 'if (process.env.HOME) console.log(1);' }],
  },
  {
    name: 'only event-log.ts appends to event files, and only rewrite-events.ts changes or removes them',
    breaks: ({ path, text }) => {
      const writes =
        '(?:writeFileSync|writeSync|openSync|openIn|rmSync|unlinkSync|renameSync|truncateSync|appendFileSync|copyFileSync|cpSync|removeIfThere|replaceFile|writeJson|appendDurably)';
      const code = withoutComments(text);
      const isInside = /^src\/store\/events\/(?!event-log\.ts$|rewrite-events\.ts$)/.test(path);
      // Outside of store/events, look for writes to a path of an events folder. Inside, every path is one, so look for
      // any append or write in place.
      const pattern = isInside
        ? /\b(?:appendDurably|openSync|writeSync|truncateSync|appendFileSync|renameSync|rmSync)\(/
        : new RegExp(`\\b${writes}\\([^;]*\\bevents\\b[^;]*;`);
      if (path.startsWith('src/store/events/') && !isInside) return [];
      return pattern.test(code) ? [`${path} writes to event files`] : [];
    },
    example: [{ path: 'src/memory/example.ts', text: `removeIfThere(join(paths.events, '2026-11.jsonl'));` }],
  },
  {
    name: 'only cmd/terminal.ts, which escapes hidden characters, writes to a terminal',
    // The hook writes JSON to its agent, `lsp` to its editor, and an index build numbers to its parent. An old
    // Node cannot load terminal.ts.
    breaks: only(
      /^src\/cmd\/(?:terminal|hook|lsp|index-code|require-node)\.ts$/,
      /\bprocess\.std(?:out|err)\b|\bstd(?:out|err)\b[^;=]*\}\s*=\s*process\b|\bwriteSync\(\s*[12]\b/,
      'writes to standard output or error directly',
    ),
    example: [
      { path: 'src/cmd/example.ts', text: 'const { stdout } = process;' },
      { path: 'src/cmd/other-example.ts', text: 'process.stderr.write(path);' },
    ],
  },
  {
    name: 'every MCP tool is added by addTool, which escapes hidden characters',
    breaks: only(
      /^src\/mcp\/(?:answer|record-answers)\.ts$/,
      /\bserver\.registerTool\(/,
      'adds a tool without addTool',
    ),
    example: [{ path: 'src/mcp/example.ts', text: `server.registerTool('x', {}, () => ({ content: [] }));` }],
  },
  {
    name: 'only run-command.ts, which refuses agents where a person is required, runs a command',
    breaks: only(
      /^src\/cli\/run-command\.ts$/,
      /\b[cC]ommand\)?\.run\(/,
      'runs a command without checking the caller',
    ),
    example: [{ path: 'src/cmd/example.ts', text: 'await command.run(app, given);' }],
  },
  {
    name: 'text for agents names no command that approves a memory',
    breaks: ({ path, text }) =>
      /^src\/(?:(?:team\/)?mcp\/|hooks\/|memory\/prelude)/.test(path) &&
      /backstory (?:pin|review|trust|edit|forget|config|share|learn)\b/.test(withoutComments(text))
        ? [`${path} names a command that approves`]
        : [],
    example: [{ path: 'src/mcp/example.ts', text: 'return `Accept it: backstory review`;' }],
  },
  {
    name: 'no module uses `export *`',
    breaks: ({ path, text }) => (/^export \* /m.test(text) ? [`${path} uses export *`] : []),
    example: [{ path: 'src/memory/example.ts', text: `export * from './redact.ts';` }],
  },
  {
    name: 'only request-body.ts, which counts the bytes that arrive, reads request bodies of the team server',
    breaks: (source) =>
      source.path.startsWith('src/team/http/')
        ? only(
            /^src\/team\/http\/request-body\.ts$/,
            /\b(?:req|request|raw)\.(?:text|json|parseBody|arrayBuffer|blob|bytes|formData|body)\b|\baskedOf\([^,()]+,\s*context\)/,
            'reads a request body',
          )(source)
        : [],
    example: [
      {
        path: 'src/team/http/example.ts',
        text: 'const asked = await askedOf(begin, context);',
      },
    ],
  },
  {
    name: 'no exported name ends in Manager, Helper, Utils, Service, Impl, Data, Info or V2',
    breaks: ({ path, text }) =>
      [
        ...text.matchAll(
          /export (?:class|function|const|interface|type) (\w*(?:Manager|Helper|Utils?|Service|Impl|Data|Info|V2))\b/g,
        ),
      ].map((match) => `${path} exports ${match[1]}`),
    example: [{ path: 'src/memory/example.ts', text: 'export class NoteManager {}' }],
  },
];

const sources: Source[] = globSync('src/**/*.ts')
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(join(path), 'utf8') }));

const viewerSources: Source[] = globSync('web/**/*.{ts,tsx}')
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(join(path), 'utf8') }));

/** A type costs a program nothing, and an answer's schema is its only declaration. */
const answerTypes = /^import type [^;]* from '[./]+\/src\/wire\/answers\/[\w-]+\.ts';$/gm;

const viewerRules: Rule[] = [
  {
    name: 'src imports nothing from the viewer',
    breaks: (source) =>
      source.path.startsWith('src/')
        ? localImports(source)
            .filter((to) => !to.startsWith('src/'))
            .map((to) => `${source.path} imports ${to}`)
        : [],
    example: [
      {
        path: 'src/http/example.ts',
        text: `import { escapeHidden } from '../../web/parts/escape-hidden.ts';`,
      },
    ],
  },
  {
    name: 'the viewer imports nothing from src but types of answers',
    breaks: (source) =>
      source.path.startsWith('web/')
        ? localImports({ ...source, text: source.text.replaceAll(answerTypes, '') })
            .filter((to) => !/^(?:web|client)\//.test(to))
            .map((to) => `${source.path} imports ${to}`)
        : [],
    example: [{ path: 'web/example.ts', text: `import { note } from '../src/wire/answers/memory.ts';` }],
  },
  {
    name: 'the viewer never turns text into markup or code',
    breaks: ({ path, text }) =>
      path.startsWith('web/') &&
      /\b(?:innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|createContextualFragment|srcdoc)\b|document\.write|\beval\(|new Function\(/.test(
        withoutComments(text),
      )
        ? [`${path} turns text into markup or code`]
        : [],
    example: [{ path: 'web/example.tsx', text: 'element.innerHTML = note.text;' }],
  },
];

describe('the viewer', () => {
  it('has its sources in web', () => {
    expect(viewerSources.length).toBeGreaterThan(20);
  });

  for (const { name, breaks, example } of viewerRules) {
    it(`[house] follows the rule: ${name}`, () => {
      const all = [...sources, ...viewerSources];
      expect(all.flatMap((source) => breaks(source, all))).toEqual([]);
    });

    it(`reports the example that violates the rule: ${name}`, () => {
      expect(example.flatMap((source) => breaks(source, example))).not.toEqual([]);
    });
  }
});

describe('the source code', () => {
  it('is in src', () => {
    expect(sources.length).toBeGreaterThan(50);
  });

  for (const { name, breaks, example } of rules) {
    it(`[house] follows the rule: ${name}`, () => {
      expect(sources.flatMap((source) => breaks(source, sources))).toEqual([]);
    });

    it(`reports the example that violates the rule: ${name}`, () => {
      expect(example.flatMap((source) => breaks(source, example))).not.toEqual([]);
    });
  }

  it('lists as readers only files that read, and detects each way of reading', () => {
    const named = Object.values(readers).flat();
    const reading = sources.filter((source) => readsBy(source).length > 0).map(({ path }) => path);
    const isUsed = (known: string | RegExp): boolean =>
      reading.some((path) => (typeof known === 'string' ? known === path : known.test(path)));
    expect(named.filter((known) => !isUsed(known))).toEqual([]);
    const examples = rules[0]?.example ?? [];
    expect(examples.filter((source) => rules[0]?.breaks(source, examples).length !== 1)).toEqual([]);
  });
});
