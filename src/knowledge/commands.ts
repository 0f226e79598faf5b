import { list, parseObject, record, text } from '../base/json.ts';
import type { ProjectTree } from './project-tree.ts';

/** A command that builds, tests, checks or runs the project. */
export interface KnownCommand {
  purpose: CommandPurpose;
  run: string;
  /** The file in which the command was found. */
  source: string;
}

const commandPurposes = ['install', 'build', 'test', 'lint', 'format', 'run', 'release'] as const;
type CommandPurpose = (typeof commandPurposes)[number];

/**
 * Finds the commands that build, test and check a project, from the configuration files of its tools. A command is
 * listed only if a file shows that it exists; conventions alone are not enough.
 */
export function commandsOf(tree: ProjectTree): KnownCommand[] {
  const found = readers.flatMap((read) => read(tree));
  const seen = new Set<string>();
  return commandPurposes.flatMap((purpose) =>
    found.filter((command) => command.purpose === purpose && !seen.has(command.run) && seen.add(command.run)),
  );
}

const scriptPurposes: Record<string, CommandPurpose> = {
  build: 'build',
  compile: 'build',
  test: 'test',
  'test:unit': 'test',
  'test:e2e': 'test',
  spec: 'test',
  lint: 'lint',
  check: 'lint',
  typecheck: 'lint',
  'type-check': 'lint',
  format: 'format',
  fmt: 'format',
  start: 'run',
  dev: 'run',
  serve: 'run',
  run: 'run',
  release: 'release',
  install: 'install',
};

const purposeOf = (name: string): CommandPurpose | undefined =>
  Object.hasOwn(scriptPurposes, name) ? scriptPurposes[name] : undefined;

type Reader = (tree: ProjectTree) => KnownCommand[];

function nodeCommands(tree: ProjectTree): KnownCommand[] {
  const source = 'package.json';
  const manifest = parseObject(tree.read(source));
  if (manifest === undefined) return [];
  const tool = packageTool(tree, text(manifest.packageManager));
  const scripts = Object.keys(record(manifest.scripts));
  return [
    { purpose: 'install', run: `${tool} install`, source },
    ...scripts.flatMap((name): KnownCommand[] => {
      const purpose = purposeOf(name);
      // `bun test` is Bun's own test runner, not the script.
      const run =
        tool !== 'bun' && (name === 'test' || name === 'start') ? `${tool} ${name}` : `${tool} run ${name}`;
      return purpose === undefined || purpose === 'install' ? [] : [{ purpose, run, source }];
    }),
  ];
}

const lockFiles: [string, string][] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
];

const packageTool = (tree: ProjectTree, named: string): string =>
  /^(npm|pnpm|yarn|bun)@/.exec(named)?.[1] ?? lockFiles.find(([file]) => tree.has(file))?.[1] ?? 'npm';

/** Whether a TOML file has a table with this name, which shows that the tool is configured. */
const hasTable = (toml: string, name: string): boolean =>
  new RegExp(`^\\[+${name.replaceAll('.', '\\.')}(?:\\.|\\])`, 'm').test(toml);

function pythonCommands(tree: ProjectTree): KnownCommand[] {
  const source = 'pyproject.toml';
  const toml = tree.read(source);
  const found: KnownCommand[] = [];
  const add = (purpose: CommandPurpose, run: string, from: string) =>
    found.push({ purpose, run, source: from });
  const runner = tree.has('uv.lock') ? 'uv run ' : tree.has('poetry.lock') ? 'poetry run ' : '';
  if (tree.has('uv.lock')) add('install', 'uv sync', 'uv.lock');
  else if (tree.has('poetry.lock')) add('install', 'poetry install', 'poetry.lock');
  else if (toml !== '' || tree.has('setup.py'))
    add('install', 'pip install -e .', toml === '' ? 'setup.py' : source);
  else if (tree.has('requirements.txt'))
    add('install', 'pip install -r requirements.txt', 'requirements.txt');
  if (toml === '' && !tree.has('setup.py') && !tree.has('setup.cfg')) return found;
  const configured = (table: string, ...files: string[]): string | undefined =>
    hasTable(toml, table) ? source : files.find((file) => tree.has(file));
  const pytest =
    configured('tool.pytest', 'pytest.ini', 'conftest.py') ??
    (/^\[tool:pytest\]/m.test(tree.read('setup.cfg'))
      ? 'setup.cfg'
      : tree.paths.find((path) => /^tests?\/conftest\.py$/.test(path)));
  if (pytest !== undefined) add('test', `${runner}pytest`, pytest);
  if (tree.has('tox.ini')) add('test', 'tox', 'tox.ini');
  if (tree.has('noxfile.py')) add('test', 'nox', 'noxfile.py');
  const ruff = configured('tool.ruff', 'ruff.toml', '.ruff.toml');
  if (ruff !== undefined) add('lint', `${runner}ruff check`, ruff);
  const mypy = configured('tool.mypy', 'mypy.ini');
  if (mypy !== undefined) add('lint', `${runner}mypy .`, mypy);
  const black = configured('tool.black');
  if (black !== undefined) add('format', `${runner}black .`, black);
  return found;
}

function preCommit(tree: ProjectTree): KnownCommand[] {
  const source = '.pre-commit-config.yaml';
  return tree.has(source) ? [{ purpose: 'lint', run: 'pre-commit run --all-files', source }] : [];
}

function rustCommands(tree: ProjectTree): KnownCommand[] {
  const source = 'Cargo.toml';
  if (!tree.has(source)) return [];
  const isChecked = workflows(tree).some((path) => tree.read(path).includes('clippy'));
  return [
    { purpose: 'build', run: 'cargo build', source },
    { purpose: 'test', run: 'cargo test', source },
    ...(isChecked ? [{ purpose: 'lint' as const, run: 'cargo clippy', source }] : []),
    { purpose: 'format', run: 'cargo fmt', source },
  ];
}

function goCommands(tree: ProjectTree): KnownCommand[] {
  const source = 'go.mod';
  if (!tree.has(source)) return [];
  const linter = tree.paths.find((path) => /^\.golangci\.(?:ya?ml|toml|json)$/.test(path));
  return [
    { purpose: 'build', run: 'go build ./...', source },
    { purpose: 'test', run: 'go test ./...', source },
    ...(linter === undefined ? [] : [{ purpose: 'lint' as const, run: 'golangci-lint run', source: linter }]),
    { purpose: 'format', run: 'gofmt -l -w .', source },
  ];
}

function javaCommands(tree: ProjectTree): KnownCommand[] {
  const gradle = ['build.gradle', 'build.gradle.kts'].find((file) => tree.has(file));
  if (tree.has('pom.xml')) {
    const tool = tree.has('mvnw') ? './mvnw' : 'mvn';
    return [
      { purpose: 'build', run: `${tool} package`, source: 'pom.xml' },
      { purpose: 'test', run: `${tool} test`, source: 'pom.xml' },
    ];
  }
  if (gradle === undefined) return [];
  const tool = tree.has('gradlew') ? './gradlew' : 'gradle';
  return [
    { purpose: 'build', run: `${tool} build`, source: gradle },
    { purpose: 'test', run: `${tool} test`, source: gradle },
  ];
}

function dotnetCommands(tree: ProjectTree): KnownCommand[] {
  const source = tree.paths.find((path) => /^[^/]+\.slnx?$/.test(path));
  if (source === undefined) return [];
  return [
    { purpose: 'build', run: 'dotnet build', source },
    { purpose: 'test', run: 'dotnet test', source },
  ];
}

function rubyCommands(tree: ProjectTree): KnownCommand[] {
  if (!tree.has('Gemfile')) return [];
  const isSpec = tree.paths.some((path) => path.startsWith('spec/'));
  return [
    { purpose: 'install', run: 'bundle install', source: 'Gemfile' },
    ...(isSpec ? [{ purpose: 'test' as const, run: 'bundle exec rspec', source: 'Gemfile' }] : []),
    ...(!isSpec && tree.has('Rakefile')
      ? [{ purpose: 'test' as const, run: 'bundle exec rake test', source: 'Rakefile' }]
      : []),
    ...(tree.has('.rubocop.yml')
      ? [{ purpose: 'lint' as const, run: 'bundle exec rubocop', source: '.rubocop.yml' }]
      : []),
  ];
}

function phpCommands(tree: ProjectTree): KnownCommand[] {
  const source = 'composer.json';
  const manifest = parseObject(tree.read(source));
  if (manifest === undefined) return [];
  return [
    { purpose: 'install', run: 'composer install', source },
    ...Object.keys(record(manifest.scripts)).flatMap((name): KnownCommand[] => {
      const purpose = purposeOf(name);
      return purpose === undefined ? [] : [{ purpose, run: `composer ${name}`, source }];
    }),
  ];
}

function cCommands(tree: ProjectTree): KnownCommand[] {
  if (tree.has('CMakeLists.txt'))
    return [
      { purpose: 'build', run: 'cmake -B build && cmake --build build', source: 'CMakeLists.txt' },
      ...(/enable_testing|include\(CTest\)|add_test/i.test(tree.read('CMakeLists.txt'))
        ? [{ purpose: 'test' as const, run: 'ctest --test-dir build', source: 'CMakeLists.txt' }]
        : []),
    ];
  const source = ['configure.ac', 'configure.in'].find((file) => tree.has(file));
  if (source === undefined || !tree.has('autogen.sh')) return [];
  return [{ purpose: 'build', run: './autogen.sh && ./configure && make', source }];
}

/** A target of make or just: a name at the start of a line, followed by a colon. */
const targetLine = /^([\w][\w:.-]*)(?:\s+[^:=\n]*)?:(?![=:])/gm;

const targetsOf =
  (tool: string, ...files: string[]): Reader =>
  (tree) => {
    const source = files.find((file) => tree.has(file));
    if (source === undefined) return [];
    return [...tree.read(source).matchAll(targetLine)].flatMap(([, name = '']): KnownCommand[] => {
      const purpose = purposeOf(name);
      return purpose === undefined ? [] : [{ purpose, run: `${tool} ${name}`, source }];
    });
  };

const workflows = (tree: ProjectTree): string[] =>
  tree.paths.filter((path) =>
    /^(?:\.github\/workflows\/[^/]+\.ya?ml|\.gitlab-ci\.yml|\.circleci\/config\.yml)$/.test(path),
  );

/** Targets that the project defines itself come before commands of its language. */
const readers: Reader[] = [
  targetsOf('make', 'Makefile', 'makefile', 'GNUmakefile'),
  targetsOf('just', 'justfile', 'Justfile'),
  nodeCommands,
  pythonCommands,
  rustCommands,
  goCommands,
  javaCommands,
  dotnetCommands,
  rubyCommands,
  phpCommands,
  cCommands,
  preCommit,
];

/** The programs and main files that the project's manifests name. */
export function namedEntries(tree: ProjectTree): string[] {
  const manifest = parseObject(tree.read('package.json')) ?? {};
  const strings = (value: unknown): string[] =>
    typeof value === 'string'
      ? [value]
      : [...list(value), ...Object.values(record(value))].flatMap((own) => strings(own));
  const cargo = [...tree.read('Cargo.toml').matchAll(/^path\s*=\s*"([^"\n]+)"/gm)].map(
    ([, path = '']) => path,
  );
  return [...strings(manifest.main), ...strings(manifest.bin), ...strings(manifest.exports), ...cargo]
    .map((path) => path.replace(/^\.\//, ''))
    .filter((path) => tree.has(path));
}
