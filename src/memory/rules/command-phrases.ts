import type { CommandMatcher } from './rule-table.ts';

const programs =
  'npm npx pnpm pnpx yarn bun bunx deno node nodemon tsx ts-node tsc corepack nvm fnm volta pip pip3 pipx pipenv poetry uv uvx pdm hatch rye conda mamba virtualenv python python2 python3 py ipython jupyter pytest tox nox black isort flake8 ruff mypy pyright pylint django-admin flask uvicorn gunicorn celery alembic cargo rustc rustup rustfmt clippy go gofmt golangci-lint gopls java javac mvn maven mvnw gradle gradlew sbt kotlinc dotnet nuget msbuild ruby gem bundle bundler rake rails rspec rubocop irb php composer artisan phpunit mix iex elixir rebar3 swift xcodebuild pod fastlane flutter dart git gh glab hub svn hg docker docker-compose podman buildah kubectl k9s helm minikube kind skaffold terraform tofu terragrunt pulumi ansible ansible-playbook vagrant packer aws gcloud az doctl flyctl fly heroku vercel netlify wrangler firebase supabase serverless sls cdk sam railway render psql mysql mysqldump pg_dump pg_restore sqlite3 redis-cli mongo mongosh createdb dropdb prisma drizzle-kit knex sequelize typeorm make cmake ninja bazel buck just task ant rm rmdir mv cp ln dd chmod chown sudo su doas apt apt-get yum dnf apk brew snap pacman choco scoop winget systemctl service launchctl crontab kill killall pkill curl wget ssh scp rsync sftp nc telnet ping grep egrep rg ag ack find fd sed awk gawk perl cat bat head tail less ls eza tree jq yq xargs tee vim vi nano emacs code touch mkdir cd bash zsh fish sh powershell pwsh tmux screen nohup eslint prettier biome oxlint stylelint jest vitest mocha karma ava playwright cypress webpack vite rollup esbuild parcel turbo nx lerna rush gulp grunt babel swc next nuxt expo ng vue astro storybook tailwindcss husky lint-staged semantic-release changeset ncu npm-check-updates pm2 forever ngrok openssl gpg twine buf protoc openapi-generator swagger-codegen'.split(
    ' ',
  );
const known = new Set(programs);
export const isProgram = (word: string): boolean => known.has(word);

/** Programs of which a project uses one: "only pnpm" rules the others out. */
const families = [
  'npm yarn pnpm bun',
  'pip pip3 poetry uv pipenv conda pdm',
  'jest vitest mocha ava karma',
  'docker podman',
  'eslint biome oxlint',
  'mvn gradle',
].map((line) => line.split(' '));

export const rivalsOf = (program: string): string[] =>
  families.find((family) => family.includes(program))?.filter((other) => other !== program) ?? [];

const command = (
  program: string,
  words: string[][] = [],
  more: Partial<CommandMatcher> = {},
): CommandMatcher => ({
  on: 'command',
  programs: program.split(' '),
  ...(words.length === 0 ? {} : { words }),
  ...more,
});

/** Options that choose some of the tests. */
const unlessFlags = [
  '-run',
  '--run',
  '-k',
  '-t',
  '--testPathPattern',
  '--testPathPatterns',
  '--testNamePattern',
  '--filter',
  '--grep',
  '-g',
  '-p',
  '--package',
  '--only',
  '--changed',
];
const forced = ['--force', '-f', '--force-with-lease', '--force-if-includes'];
const managers = 'npm pnpm yarn bun';
/** `npm run NAME`, `yarn NAME`, `make NAME`. */
const script = (...names: string[]): CommandMatcher[] => [
  command(managers, [['run', 'run-script'], names]),
  command(`${managers} make just task rake mix turbo nx`, [names]),
];
const installing = (more: Partial<CommandMatcher> = {}): CommandMatcher[] => [
  command('npm pnpm bun', [['install', 'i', 'add']], { operands: 'some', ...more }),
  command('yarn poetry pdm uv cargo bundle apk deno', [['add']], { operands: 'some', ...more }),
  command('pip pip3 pipenv conda gem brew apt apt-get cargo dnf yum', [['install']], {
    operands: 'some',
    ...more,
  }),
  command('go', [['get']], { operands: 'some', ...more }),
  command('composer', [['require']], more),
  command('dotnet', [['add']], { args: [['package']], ...more }),
  command('uv', [['pip'], ['install']], { operands: 'some', ...more }),
];

const branch = '(?:the |our |origin[ /])?[`\'"]?([\\w./-]+)[`\'"]?(?: branch(?:es)?)?';

/** Actions that people name in words. The text is a verb with its object, in lower case. */
const phrases: [RegExp, (found: RegExpExecArray) => CommandMatcher[]][] = [
  [
    /^use merg(?:e|es|ing)$/,
    () => [command('git', [['merge']], { unlessFlags: ['--ff-only', '--squash', '--abort', '--continue'] })],
  ],
  [
    /\bforce[- ]?push(?:es|ing|ed)?\b|\bpush(?:es|ing)? (?:with )?(?:--?)?force(?![\w-])|\bpush -f\b/,
    () => [
      command('git', [['push']], { flags: [forced] }),
      command('git', [['push']], { pattern: '^\\+\\S' }),
    ],
  ],
  [
    new RegExp(
      `^(?:push|pushing|commit|committing|merge|merging)(?: anything| changes| code| stuff| commits| work)?(?: directly| straight| right)? (?:to|on|onto|into|in) ${branch}(?: or (?:to )?${branch})?`,
    ),
    ([, first = '', second]) => {
      const names = [first, second ?? first, ...(first === 'main' ? ['master'] : [])];
      return /^(?:remote|origin|github|upstream|prod|production|git|the)$/.test(first)
        ? [command('git', [['push']])]
        : [command('git', [['push']], { args: [[...new Set(names)]] })];
    },
  ],
  [
    /^(?:skip|skipping|bypass|bypassing|disable|disabling|circumvent|avoid|ignore)(?:ing)? (?:the |our |any )?(?:pre-?commit|pre-?push|git|commit|husky)?[- ]?(?:hooks?|checks)\b|^--no-verify\b|^no-verify\b/,
    () => [
      command('git', [['commit', 'push', 'merge', 'rebase']], { flags: [['--no-verify']] }),
      command('git', [['commit']], { flags: [['-n']] }),
    ],
  ],
  [
    /^(?:amend|amending|amends)\b|^amended commits?/,
    () => [command('git', [['commit']], { flags: [['--amend']] })],
  ],
  [
    /^(?:interactive(?:ly)? rebas(?:e|es|ing))\b/,
    () => [command('git', [['rebase']], { flags: [['-i', '--interactive']] })],
  ],
  [
    /^(?:rebase|rebasing|rebases)\b/,
    () => [command('git', [['rebase']]), command('git', [['pull']], { flags: [['--rebase', '-r']] })],
  ],
  [
    /^(?:squash|squashing)\b/,
    () => [
      command('git', [['merge']], { flags: [['--squash']] }),
      command('gh', [['pr'], ['merge']], { flags: [['--squash', '-s']] }),
      command('git', [['rebase']], { flags: [['-i', '--interactive', '--autosquash']] }),
    ],
  ],
  [/^(?:cherry-?pick|cherry-?picking)\b/, () => [command('git', [['cherry-pick']])]],
  [/^(?:stash|stashing|stashes)\b/, () => [command('git', [['stash']])]],
  [
    /^(?:hard[- ]reset|reset --hard|hard resets|resetting hard)\b/,
    () => [command('git', [['reset']], { flags: [['--hard']] })],
  ],
  [/^(?:revert|reverting) commits?\b/, () => [command('git', [['revert']])]],
  [
    /^(?:rewrite|rewriting) (?:git )?history\b/,
    () => [
      command('git', [['rebase']]),
      command('git', [['commit']], { flags: [['--amend']] }),
      command('git', [['filter-branch', 'filter-repo']]),
      command('git', [['push']], { flags: [forced] }),
    ],
  ],
  [
    /^(?:create|make|open|creating|opening|making|start|cut) (?:a |new |any |feature |separate |extra )*branch(?:es)?\b|^(?:new )?branches$/,
    () => [
      command('git', [['checkout']], { flags: [['-b', '-B']] }),
      command('git', [['switch']], { flags: [['-c', '-C', '--create']] }),
      command('git', [['branch']], { operands: 'some' }),
    ],
  ],
  [
    /^(?:delete|deleting|remove|removing) (?:any |remote |local |old |the )*branch(?:es)?\b/,
    () => [
      command('git', [['branch']], { flags: [['-d', '-D', '--delete']] }),
      command('git', [['push']], { flags: [['--delete', '-d']] }),
    ],
  ],
  [
    /^(?:create|open|make|opening|creating|submit) (?:a |any |new |draft )*(?:prs?|pull[- ]requests?|merge requests?|mrs?)\b/,
    () => [command('gh', [['pr'], ['create']]), command('glab', [['mr'], ['create']])],
  ],
  [
    /^(?:merge|merging)(?: (?:a |any |the |your |my |own )*(?:prs?|pull[- ]requests?|merge requests?|mrs?)| yourself| anything| on your own| by yourself|$)/,
    () => [
      command('gh', [['pr'], ['merge']]),
      command('glab', [['mr'], ['merge']]),
      command('git', [['merge']]),
    ],
  ],
  [
    /^(?:merge commits?)$/,
    () => [
      command('git', [['merge']], { flags: [['--no-ff']] }),
      command('gh', [['pr'], ['merge']], { flags: [['--merge', '-m']] }),
    ],
  ],
  [
    /^(?:tag|tagging|create tags?|creating tags?)(?: (?:releases?|versions?|anything|commits?))?$/,
    () => [command('git', [['tag']], { operands: 'some' })],
  ],
  [
    /^(?:git )?(?:commit|committing)(?: (?:anything|any changes?|changes?|your changes?|the changes?|stuff|code|work|for me|on your own|by yourself|yourself|automatically|without\b.*|unless\b.*|until\b.*|before\b.*))?$/,
    () => [command('git', [['commit']])],
  ],
  [
    /^(?:git )?(?:push|pushing)(?: (?:anything|any changes?|changes?|your changes?|commits?|branches|stuff|code|work|for me|on your own|by yourself|yourself|automatically|without\b.*|unless\b.*|until\b.*|before\b.*))?$/,
    () => [command('git', [['push']])],
  ],
  [
    /^(?:run |running |do |trigger |triggering |start )?(?:a |any |the )?deploy(?:s|ing|ment|ments)?\b(?! keys?| scripts?| configs?| files?)/,
    () => [
      command('*', [['deploy']]),
      command('*', [['run', 'app', 'functions', 'up'], ['deploy']]),
      command('deploy deploy.sh deploy.py'),
      command('*', [], { args: [['deploy:prod', 'deploy:production', 'deploy:staging']] }),
      command('vercel netlify', [], { flags: [['--prod', '--production']] }),
      command('kubectl', [['apply', 'rollout']]),
      command('helm', [['upgrade', 'install']]),
    ],
  ],
  [
    /^(?:publish|publishing)\b(?! events?| messages?| to (?:the )?(?:queue|topic|channel))/,
    () => [
      command('*', [['publish']]),
      command('*', [['run'], ['publish', 'release']]),
      command('twine', [['upload']]),
      command('dotnet', [['nuget'], ['push']]),
      command('gem', [['push']]),
    ],
  ],
  [
    /^(?:cut|create|make|creating|cutting) (?:a |any |new )*releases?\b/,
    () => [
      command('gh', [['release'], ['create']]),
      ...script('release'),
      command('semantic-release release-it standard-version'),
    ],
  ],
  [
    /^(?:install|installing|add|adding|pull in|pulling in|bring in|bringing in|introduce|introducing|use|using|need|have)?\s?(?:any |new |more |extra |additional |other |further |runtime |npm |python |external |third[- ]party |dev |3rd[- ]party |unneeded |unnecessary )*(?:packages?|dependenc(?:y|ies)|deps?|librar(?:y|ies)|libs?|node modules?)\b(?! (?:in|from|to) )(?! (?:from|that|which))/,
    ([whole]) =>
      /^(?:install|add|pull|bring|introduc|need|new|extra|more|additional|any new|third|external|runtime)/.test(
        whole,
      )
        ? installing()
        : [],
  ],
  [/^(?:install|installing) (?:anything|stuff|things|something)(?! glob)\b/, () => installing()],
  [
    /^(?:install|installing) (?:\w+ )?(?:packages? |anything |things |tools |stuff |dependencies |modules )*glob?ally\b|^global (?:installs?|packages?|npm installs?)\b|^(?:install|installing) global(?: \w+)?\b/,
    () => [
      command('npm pnpm bun', [['install', 'i', 'add']], { flags: [['-g', '--global']] }),
      command('yarn', [['global']]),
    ],
  ],
  [
    /^(?:upgrade|upgrading|update|updating|bump|bumping) (?:any |the |our |all |package |npm |major )*(?:dependenc(?:y|ies)|deps?|packages?|librar(?:y|ies)|versions?|dependency versions?)\b/,
    () => [
      command('npm', [['update', 'upgrade', 'up']]),
      command('pnpm', [['update', 'up', 'upgrade']]),
      command('yarn', [['upgrade', 'up']]),
      command('bun poetry cargo composer bundle mix', [['update']]),
      command('ncu npm-check-updates'),
      command('go', [['get']], { flags: [['-u']] }),
      command('pip pip3', [['install']], { flags: [['-U', '--upgrade']] }),
    ],
  ],
  [
    /^(?:run|running|start|starting|launch|launching|spin up|boot|restart|restarting) (?:the |a |any |my )*(?:(?:dev|development|local|web|app|api|backend|frontend)(?: |-))*(?:server|app)s?\b|^dev server$/,
    () => [
      ...script('dev', 'start', 'serve'),
      command('next nuxt astro vite', [['dev', 'start', 'serve']]),
      command('vite', [], { operands: 'none' }),
      command('rails', [['server', 's']]),
      command('flask', [['run']]),
      command('uvicorn gunicorn nodemon'),
      command('mix', [['phx.server']]),
      command('python python3', [], { args: [['runserver']] }),
      command('ng', [['serve']]),
      command('dotnet', [['run', 'watch']]),
    ],
  ],
  [
    /^(?:run|running) (?:the |our )?(?:full|whole|entire|complete|all)(?: the| of the| our)? (?:test[- ]?suite|tests?|suite|e2e tests?)\b|^(?:run|running) (?:the |our |all )*(?:test[- ]?suite|tests?|specs?) (?:of|for|in|across) (?:the |our )?(?:whole|entire|full|complete|all)\b/,
    () => [
      command(managers, [['test', 't']], { operands: 'none', unlessFlags }),
      command(managers, [['run'], ['test', 'test:all']], { operands: 'none', unlessFlags }),
      command('pytest vitest jest mocha rspec phpunit', [], { operands: 'none', unlessFlags }),
      command('go', [['test']], { pattern: '^(?:\\./)?\\.{3}$', unlessFlags }),
      command('cargo mix', [['test']], { operands: 'none', unlessFlags }),
      command('make', [['test', 'test-all', 'check']]),
    ],
  ],
  [
    /^(?:run|running) (?:the |any |our )?(?:tests?|test[- ]?suite|specs?)\b/,
    () => [
      command(`${managers} go cargo mix make dotnet mvn gradle swift flutter`, [['test', 't']]),
      command(managers, [['run'], ['test']]),
      command('pytest vitest jest mocha rspec phpunit playwright cypress'),
    ],
  ],
  [
    /^(?:run|running|apply|applying|execute|executing|do) (?:any |the |db |database |schema |production |prod |new )*migrations?\b|^migrate the (?:db|database)\b/,
    () => [
      ...script('migrate', 'db:migrate', 'migration:run', 'migrations'),
      command('prisma', [['migrate', 'db']]),
      command('knex', [['migrate:latest', 'migrate:up']]),
      command('rails rake', [['db:migrate']]),
      command('alembic', [['upgrade', 'downgrade']]),
      command('python python3', [], { args: [['migrate']] }),
      command('mix', [['ecto.migrate']]),
      command('drizzle-kit', [['migrate', 'push']]),
      command('typeorm sequelize', [['migration:run', 'db:migrate']]),
      command('php', [['artisan'], ['migrate']]),
      command('dotnet', [['ef'], ['database']]),
      command('flyway liquibase goose', [['migrate', 'update', 'up']]),
      command('supabase', [['db'], ['push', 'reset']]),
    ],
  ],
  [
    /^(?:run|running|start|starting|do|trigger) (?:the |a |any |full |production |prod )*builds?\b/,
    () => [...script('build'), command('next vite astro nuxt docker cargo go dotnet gradle', [['build']])],
  ],
  [
    /^(?:run|running) (?:the )?(?:formatters?|prettier)\b|^(?:format|formatting|reformat) (?:the )?(?:whole|entire|all|code ?base|every)/,
    () => [
      command('prettier', [], { flags: [['--write', '-w']] }),
      ...script('format', 'fmt'),
      command('cargo go', [['fmt']]),
      command('black isort'),
      command('biome', [['format']], { flags: [['--write']] }),
    ],
  ],
  [
    /^(?:drop|dropping|truncate|truncating|wipe|wiping|delete|reset|resetting) (?:any |the |my |our |dev |local |production |prod |staging |test )*(?:databases?|dbs?|tables?|schemas?)\b/,
    () => [
      command('*', [], {
        pattern: '\\b(?:drop|truncate)\\s+(?:table|database|schema)\\b|\\bdelete\\s+from\\s+\\w+\\s*;?$',
      }),
      command('dropdb'),
      command('*', [['db:drop', 'db:reset', 'ecto.drop', 'ecto.reset', 'migrate:fresh', 'migrate:reset']]),
      command('prisma', [['migrate'], ['reset']]),
      command('supabase', [['db'], ['reset']]),
      command('php', [['artisan'], ['migrate:fresh', 'db:wipe', 'migrate:reset']]),
      command('python python3', [], { args: [['flush', 'reset_db']] }),
    ],
  ],
  [
    /^(?:kill|killing) (?:any |other |running |my |the |node )*(?:process(?:es)?|servers?|ports?)\b/,
    () => [command('kill killall pkill kill-port')],
  ],
  [
    /^watch mode$|^(?:run|use|start) (?:\w+ )?(?:in )?watch(?: mode)?$/,
    () => [command('*', [], { flags: [['--watch', '--watchAll']] })],
  ],
];

/** The commands that an action in words means: "force push", "run the dev server". */
export function commandPhrase(words: string): CommandMatcher[] {
  for (const [pattern, matchers] of phrases) {
    const found = pattern.exec(words);
    if (found !== null) return matchers(found);
  }
  return [];
}

const subcommandPrograms =
  /^(?:git|gh|glab|docker|docker-compose|podman|kubectl|helm|npm|pnpm|yarn|bun|cargo|go|dotnet|terraform|tofu|terragrunt|mix|rails|rake|prisma|poetry|uv|pip3?|conda|gem|bundle|composer|php|aws|gcloud|az|fly|flyctl|heroku|vercel|netlify|supabase|firebase|brew|apt|apt-get|systemctl|make|just|task|mvn|gradle|gradlew|flutter|alembic|knex|nx|turbo|lerna|next|vite|ng|expo|buf|pulumi|wrangler|cdk|sls|serverless|drizzle-kit|manage\.py|artisan|playwright|cypress|deno|rustup|nvm|gpg|ansible|hg|svn|swift|pod|fastlane|sequelize|typeorm|ruff|biome|corepack|eslint|changeset|railway)$/;

const longFlags: Record<string, string[]> = {
  '-f': ['-f', '--force'],
  '--force': ['--force', '-f'],
  '-r': ['-r', '-R', '--recursive'],
  '-g': ['-g', '--global'],
  '-A': ['-A', '--all'],
  '--all': ['--all', '-A'],
  '--global': ['--global', '-g'],
  '--amend': ['--amend'],
};

/** A command that the rule gives literally: `git push --force`, `rm -rf node_modules`, `cargo test`. */
export function literalCommand(words: string[]): CommandMatcher | undefined {
  const [program = '', ...rest] = words;
  if (program === '') return undefined;
  const flags = rest.filter((word) => word.startsWith('-')).flatMap(splitFlags);
  const names = rest.filter((word) => !word.startsWith('-') && !/^[<[{$%*]|^\.{3}$|^…$/.test(word));
  const hasSubcommand = subcommandPrograms.test(program);
  const all = program === 'git' && names[0] === 'add' && names[1] === '.';
  const subcommands = hasSubcommand
    ? names.slice(0, names.length > 1 && !all && isSubcommand(names[1]) ? 2 : 1)
    : [];
  const args = names
    .slice(subcommands.length)
    .map((word) => [/^\.\/\.{3}$/.test(word) ? '...' : word.replace(/^\.\/(?=.)|\/$/g, '')]);
  return {
    on: 'command',
    programs: program === 'pip' ? ['pip', 'pip3'] : program === 'python' ? ['python', 'python3'] : [program],
    ...(subcommands.length === 0 ? {} : { words: subcommands.map(alternatives) }),
    ...(flags.length === 0 ? {} : { flags }),
    ...(args.length === 0 ? {} : { args }),
  };
}

const isSubcommand = (word = ''): boolean =>
  /^[a-z][a-z:-]+$/.test(word) && !/^(?:main|master|develop|dev|origin|prod|production|staging)$/.test(word);

const synonyms = [
  ['install', 'i', 'add'],
  ['test', 't'],
  ['uninstall', 'remove', 'rm', 'un'],
  ['run', 'run-script'],
];
const alternatives = (word: string): string[] =>
  /^(?:install|add)$/.test(word)
    ? ['install', 'i', 'add']
    : (synonyms.find((list) => list[0] === word) ?? [word]);

function splitFlags(word: string): string[][] {
  const single = /^-([a-zA-Z]{2,})$/.exec(word)?.[1];
  const each = single === undefined ? [word.replace(/=.*$/, '')] : [...single].map((letter) => `-${letter}`);
  return each.map((flag) => longFlags[flag] ?? [flag]);
}
