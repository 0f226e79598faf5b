/** Kinds of files that people name in words, as globs. A glob without a slash matches at any depth. */
export const testFiles = [
  '*.test.*',
  '*.spec.*',
  '*_test.*',
  '*_spec.*',
  'test_*.py',
  '*Test.java',
  '*Tests.cs',
  'test/**',
  'tests/**',
  '__tests__/**',
  'spec/**',
];

export const endings = (names: string): string[] => names.split(' ').map((name) => `*.${name}`);

export const scriptFiles = endings('ts tsx js jsx mjs cjs mts cts vue svelte astro');
export const typedFiles = endings('ts tsx mts cts vue svelte');
export const markupFiles = endings('tsx jsx vue svelte astro html');
export const styleFiles = endings('css scss sass less styl');

/** Source files by the name of a language. */
const languages: Record<string, string[]> = {
  typescript: typedFiles,
  ts: typedFiles,
  tsx: endings('tsx'),
  javascript: endings('js jsx mjs cjs'),
  js: endings('js jsx mjs cjs'),
  jsx: endings('jsx'),
  python: endings('py pyi ipynb'),
  rust: endings('rs'),
  go: endings('go'),
  golang: endings('go'),
  java: endings('java'),
  kotlin: endings('kt kts'),
  ruby: endings('rb'),
  php: endings('php'),
  elixir: endings('ex exs'),
  'c#': endings('cs'),
  'c++': endings('cpp cc cxx hpp h'),
  swift: endings('swift'),
  dart: endings('dart'),
  css: styleFiles,
  scss: endings('scss'),
  sass: endings('scss sass'),
  html: endings('html'),
  sql: endings('sql'),
  shell: endings('sh bash zsh'),
  bash: endings('sh bash'),
  markdown: endings('md mdx'),
  md: endings('md mdx'),
  yaml: endings('yml yaml'),
  json: endings('json'),
  proto: endings('proto'),
  vue: endings('vue'),
};

const kinds: [RegExp, string[]][] = [
  [
    /^lock ?-?files?$/,
    'package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lockb bun.lock Cargo.lock poetry.lock uv.lock Gemfile.lock composer.lock go.sum Pipfile.lock mix.lock pubspec.lock flake.lock'.split(
      ' ',
    ),
  ],
  [
    /^(?:auto-?)?generated (?:files?|code|types?|clients?|sources?|stuff)$|^codegen(?:erated)?(?: files?| output)?$/,
    'generated/** __generated__/** *.generated.* *.gen.* *_generated.* *.pb.go *_pb2.py *.g.dart'.split(' '),
  ],
  [
    /^(?:(?:db|database|sql|schema|merged|applied|old|committed) )*migrations?(?: files?| scripts?)?$/,
    'migrations/** migrate/**'.split(' '),
  ],
  [
    /^(?:unit |e2e |integration |end-to-end )?(?:tests?|specs?|test files?|spec files?|test cases?)$/,
    testFiles,
  ],
  [/^(?:jest |test )?snapshots?(?: files?)?$/, ['*.snap', '__snapshots__/**']],
  [
    /^\.?(?:dot)?env(?:ironment)? ?(?:files?|vars? files?)$|^dotenvs?$/,
    ['.env', '.env.local', '.env.production'],
  ],
  [
    /^(?:the )?(?:ci|github|gitlab)(?: ci)?(?: (?:configs?|workflows?|actions|pipelines?|files?|setup|yaml))+$|^workflows?(?: files?)?$/,
    '.github/workflows/** .gitlab-ci.yml .circleci/** azure-pipelines.yml Jenkinsfile bitbucket-pipelines.yml'.split(
      ' ',
    ),
  ],
  [/^docker ?files?$/, ['Dockerfile', 'Dockerfile.*', '*.dockerfile']],
  [/^readmes?(?: files?)?$/, ['README*']],
  [/^change ?logs?(?: files?)?$/, ['CHANGELOG*', 'CHANGES*']],
  [/^licen[cs]es?(?: files?)?$/, ['LICENSE*', 'LICENCE*']],
  [
    /^(?:(?:markdown|md|documentation|docs?|summary|report|notes?|readme) ?)+(?:files?|documents?)$|^markdowns?$|^(?:documentation|docs)$/,
    ['*.md', '*.mdx'],
  ],
  [/^build (?:outputs?|artifacts?|files?|dir|directory|folder)$/, ['dist/**', 'build/**']],
  [/^(?:third[- ]party|vendored|vendor) (?:code|files?|libs?|libraries)$/, ['vendor/**', 'third_party/**']],
  [/^config(?:uration)? files?$/, ['*.config.*', '.eslintrc*', '.prettierrc*', 'tsconfig*.json']],
  [/^(?:the )?eslint (?:config|rules|configuration|file)$/, ['.eslintrc*', 'eslint.config.*']],
  [/^(?:the )?(?:ts ?config|typescript config(?:uration)?)(?: files?)?$/, ['tsconfig*.json']],
  [/^(?:storybook |component )?stor(?:y|ies)(?: files?)?$/, ['*.stories.*']],
  [/^fixtures?(?: files?)?$/, ['fixtures/**', '__fixtures__/**']],
  [
    /^index files?$|^barrel files?$|^barrels?$/,
    endings('ts tsx js jsx').map((glob) => `index${glob.slice(1)}`),
  ],
  [/^proto(?:buf)?(?: files?| definitions?)?$/, endings('proto')],
  [/^(?:jupyter |ipython )?notebooks?(?: files?)?$/, endings('ipynb')],
];

/** The globs of files that an expression such as "lock files", "python files" or "the vendor folder" means. */
export function fileKind(words: string): string[] | undefined {
  const item = words.toLowerCase().trim();
  const known = kinds.find(([pattern]) => pattern.test(item))?.[1];
  if (known !== undefined) return known;
  const files = /^\.?([\w+#]+) (?:files?|sources?|code|scripts?)$/.exec(item);
  const [, name = ''] = files ?? [];
  const language = languages[name];
  if (files !== null && language !== undefined) return language;
  if (/^\.\w+ files?$/.test(item)) return endings(name);
  return undefined;
}

export const languageFiles = (name: string): string[] | undefined => languages[name.toLowerCase()];
