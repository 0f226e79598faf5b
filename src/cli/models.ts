import { isoTime } from '../base/clock.ts';
import { projectConfig, readOverrides, type WriterOptions } from '../base/config.ts';
import { AppError } from '../base/errors.ts';
import { writeJson } from '../base/files.ts';
import { parseConfigValue } from '../base/setting-descriptions.ts';
import {
  defaultKeyVariables,
  parseChoice,
  type WriterProvider,
  writerPrograms,
  writerProviders,
} from '../domain/writer-choice.ts';
import { readSpend } from '../spend/read-spend.ts';
import type { App, Command, ParsedArgs } from './command.ts';
import { isSet, stringOf, yesOption } from './command.ts';
import { findOnPath } from './find-program.ts';
import { spendLines } from './spend-lines.ts';

export const modelsCommand: Command = {
  name: 'models',
  usage:
    'models [use [NAME[:MODEL]] [--url URL] [--key VARIABLE] [--price IN/OUT] [--program PATH] [--yes] | off]',
  summary:
    'Show or choose the model that writes notes. Default: none. `use` gives consent, `off` withdraws it.',
  group: 'Control',
  options: {
    url: { about: 'URL of the model endpoint.', value: 'URL' },
    key: { about: 'Environment variable with the API key; not the key itself.', value: 'VARIABLE' },
    price: { about: 'US dollars per million input and output tokens.', value: 'IN/OUT' },
    program: { about: 'Path of the program, if it is not on PATH.', value: 'PATH' },
    ...yesOption,
  },
  isForSetup: true,
  needsPerson: ({ positionals: [action] }) => (action === 'use' ? 'Choosing a model' : undefined),
  async run(app, args) {
    const [action, name] = args.positionals;
    if (action === 'use') await use(app, args, name);
    else if (action === 'off') {
      const { write, writer, ...rest } = readOverrides(app.paths.config, ['write', 'writer']);
      writeJson(app.paths.config, rest);
    } else if (action !== undefined)
      throw new AppError('INVALID_ARGUMENT', `unknown action: ${action}; use use or off`, {
        hint: 'backstory models --help',
      });
    return show(app);
  },
};

const descriptions: Record<WriterProvider, string> = {
  claude: 'Claude Code, with your own login',
  codex: 'Codex, with your own login',
  cursor: 'Cursor, with your own login',
  gemini: 'Gemini CLI, with your own login',
  ollama: 'a model on this machine',
  openai: 'any OpenAI-compatible endpoint',
  anthropic: "Anthropic's API",
};

const detectProviders = (app: App) =>
  writerProviders.map((name) => {
    const program = name === 'ollama' ? 'ollama' : writerPrograms[name];
    const key = defaultKeyVariables[name];
    const path = program === undefined ? undefined : findOnPath(program, app.searchPath);
    const isThere = path !== undefined || (key !== undefined && app.hasVariable(key));
    const where = program === undefined ? `${key} is ${isThere ? '' : 'not '}set` : (path ?? 'not found');
    return { name, what: descriptions[name], where, isThere };
  });

export const chooseModel = (app: App): Promise<void> => use(app, { positionals: [], values: {} }, undefined);

export function destinationOf(write: string, { url }: WriterOptions): string {
  const provider = parseChoice(write)?.provider;
  return `${write}${provider === undefined ? '' : ` (${descriptions[provider]})`}${url === undefined ? '' : ` at ${url}`}`;
}

async function use(app: App, args: ParsedArgs, name: string | undefined): Promise<void> {
  const wanted = name ?? (await suggestProvider(app, isSet(args, 'yes')));
  const choice = parseChoice(wanted);
  if (choice === undefined)
    throw new AppError(
      'INVALID_ARGUMENT',
      `unknown provider: ${wanted}; choose one of ${writerProviders.join(', ')}`,
      { hint: 'backstory models' },
    );
  const { provider, model } = choice;
  const program = writerPrograms[provider];
  if (program === undefined && model === '')
    throw new AppError('INVALID_ARGUMENT', `${provider} needs the name of a model`, {
      hint: `backstory models use ${provider}:MODEL`,
    });
  const path = stringOf(args, 'program') ?? (program && findOnPath(program, app.searchPath));
  if (program !== undefined && path === undefined)
    throw new AppError('CLIENT_NOT_INSTALLED', `${program} is not on PATH`, {
      hint: `backstory models use ${provider} --program PATH`,
    });
  const write = parseConfigValue('write', wanted);
  const options: Record<keyof WriterOptions, string | undefined> = {
    url: checkedUrl(stringOf(args, 'url')),
    key: checkedVariableName(app, stringOf(args, 'key')),
    price: checkedPrice(stringOf(args, 'price')),
    program: path,
    // The consent is valid from now on, so sessions before it are not sent to the model.
    since: isoTime(app.clock.now()),
  };
  const writer = Object.fromEntries(Object.entries(options).filter(([, given]) => given !== undefined));
  writeJson(app.paths.config, {
    ...readOverrides(app.paths.config, ['write', 'writer']),
    write,
    writer,
  });
}

async function suggestProvider(app: App, isAgreed: boolean): Promise<string> {
  const found = detectProviders(app).filter(
    ({ name, isThere }) => isThere && writerPrograms[name] !== undefined,
  );
  if (found.length === 0 || !(isAgreed || app.isInteractive))
    throw new AppError('INVALID_ARGUMENT', 'no model given', { hint: 'backstory models use claude' });
  for (const { name, what } of found)
    if (isAgreed || (await app.confirm(`Let ${what}, write notes about each session that ends?`)))
      return name;
  throw new AppError('INVALID_ARGUMENT', 'no model was chosen', { hint: 'backstory models' });
}

function checkedUrl(url: string | undefined): string | undefined {
  if (url === undefined || URL.canParse(url)) return url;
  throw new AppError('INVALID_ARGUMENT', `${url} is not a URL`, {
    hint: 'backstory models use ollama:MODEL --url http://127.0.0.1:11434',
  });
}

function checkedPrice(price: string | undefined): string | undefined {
  if (price === undefined || /^\d{1,4}(?:\.\d{1,6})?\/\d{1,4}(?:\.\d{1,6})?$/.test(price)) return price;
  throw new AppError('INVALID_ARGUMENT', `${price} is not a price`, {
    hint: 'backstory models use openai:MODEL --price 5/25',
  });
}

const maxNameLength = 40;

/** Rejects a value that looks like the key itself, so that no key is written to the settings. */
function checkedVariableName(app: App, name: string | undefined): string | undefined {
  if (name === undefined || app.hasVariable(name)) return name;
  if (/^[A-Za-z_]\w*$/.test(name) && name.length <= maxNameLength) return name;
  throw new AppError('INVALID_ARGUMENT', '--key takes the name of an environment variable, not the key', {
    hint: 'backstory models use anthropic:MODEL --key ANTHROPIC_API_KEY',
  });
}

function show(app: App) {
  const { paths, clock, style } = app;
  const place = app.place();
  const config = projectConfig(paths, place.project);
  const found = detectProviders(app);
  const { attempts: _, model: __, ...spend } = readSpend(paths, clock);
  const { write, writer } = config;
  const since = writer.since ?? '';
  const value = { chosen: write, since, ...spend, found };
  const head =
    write === 'off'
      ? [
          `${style.bold('No model is configured.')} Notes are extracted on this machine, without one. Nothing is sent or spent.`,
        ]
      : [
          `${style.bold(write)} writes notes once about each session that ends after ${since}. Earlier ones are read only by: backstory learn`,
          ...labelled(style.dim, [
            [
              'sent',
              'after redaction: prompts, answers, commands with the end of their output, paths of edited files, statements recorded since then; with recall --expand, your question and the project name',
            ],
            ['stop', 'backstory models off; for this project only: backstory config write off --project'],
          ]),
        ];
  const chosen = parseChoice(write)?.provider;
  const key = writer.key || (chosen && defaultKeyVariables[chosen]) || '';
  const chosenMark = key === '' || app.hasVariable(key) ? 'chosen' : `chosen, but ${key} is not set`;
  const rows = found.map(({ name, what, where, isThere }) => {
    const label = (name === chosen ? style.bold : isThere ? style.good : style.dim)(name.padEnd(10));
    return `  ${label} ${what.padEnd(34)} ${name === chosen ? chosenMark : style.dim(where)}`;
  });
  const how = style.dim(
    'To choose one: backstory models use claude, or ollama:MODEL. What is sent and when: docs/guides/models.md',
  );
  const spent = write === 'off' && spend.ever.calls === 0 ? [] : ['', ...spendLines(spend, style)];
  return { value, text: [...head, ...spent, '', ...rows, '', how].join('\n') };
}

export const labelled = (dim: (text: string) => string, rows: [string, string][]): string[] =>
  rows.map(([name, text]) => `  ${dim(name.padEnd(8))} ${text}`);
