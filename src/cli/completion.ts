import { AppError } from '../base/errors.ts';
import type { Command } from './command.ts';
import { loadCommands, onlyRunByOthers } from './commands.ts';
import { argumentChoices, optionsOf } from './option-help.ts';

/** A shell's script for the tab key, made from the same table as the help: it cannot know another set of commands. */
export const completionCommand: Command = {
  name: 'completion',
  usage: 'completion bash|zsh|fish',
  summary: 'Print what makes your shell complete commands and options.',
  group: 'Set up',
  async run(_app, given) {
    const [shell = ''] = given.positionals;
    const write = Object.hasOwn(shells, shell) ? shells[shell as keyof typeof shells] : undefined;
    if (write === undefined)
      throw new AppError('INVALID_ARGUMENT', shell === '' ? 'for which shell?' : `not for ${shell} yet`, {
        hint: 'source <(backstory completion bash)',
      });
    const script = write(await completed());
    return { value: { shell, script }, text: script, isVerbatim: true };
  },
};

interface Completed {
  name: string;
  summary: string;
  options: {
    flag: string;
    about: string;
    takesValue: boolean;
    choices: readonly string[];
    isFile: boolean;
  }[];
  arguments: readonly string[] | 'file';
}

async function completed(): Promise<Completed[]> {
  const own = (await loadCommands()).map((command) => ({
    name: command.name,
    summary: command.summary,
    options: optionsOf(command).map(({ option, about, takesValue, choices = [], isFile = false }) => ({
      flag: `--${option}`,
      about,
      takesValue,
      choices,
      isFile,
    })),
    arguments: argumentChoices[command.name] ?? [],
  }));
  const others = onlyRunByOthers.map((other) => ({ ...other, options: [], arguments: [] }));
  return [...own, ...others];
}

/** In single quotes nothing means anything to a shell, except the quote. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function bash(commands: Completed[]): string {
  const cases = commands.map(({ name, options, arguments: given }) => {
    const values = options
      .filter(({ takesValue }) => takesValue)
      .map(({ flag, choices, isFile }) => {
        const reply = isFile ? '-f' : `-W ${quoted(choices.join(' '))}`;
        return `        ${flag}) COMPREPLY=($(compgen ${reply} -- "$cur")); return ;;`;
      });
    const reply = given === 'file' ? '-f' : `-W ${quoted(given.join(' '))}`;
    return [
      `    ${name})`,
      ...(values.length === 0 ? [] : ['      case "$prev" in', ...values, '      esac']),
      `      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W ${quoted(options.map(({ flag }) => flag).join(' '))} -- "$cur"))`,
      `      else COMPREPLY=($(compgen ${reply} -- "$cur")); fi ;;`,
    ].join('\n');
  });
  return [
    '# backstory completion for bash: source <(backstory completion bash)',
    '_backstory() {',
    '  local cur=$2 prev=$3',
    '  COMPREPLY=()',
    '  if [[ $COMP_CWORD -eq 1 ]]; then',
    `    COMPREPLY=($(compgen -W ${quoted(commands.map(({ name }) => name).join(' '))} -- "$cur"))`,
    '    return',
    '  fi',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the shell.
    '  case ${COMP_WORDS[1]} in',
    ...cases,
    '  esac',
    '}',
    'complete -F _backstory backstory',
  ].join('\n');
}

function zsh(commands: Completed[]): string {
  // Zsh reads a colon and brackets in a description as its own.
  const plain = (text: string): string => text.replace(/[:[\]]/g, ' ').replaceAll("'", "'\\''");
  const cases = commands.map(({ name, options, arguments: given }) => {
    const specs = options.map(({ flag, about, takesValue, choices, isFile }) => {
      const action = isFile ? '_files' : choices.length > 0 ? `(${choices.join(' ')})` : ' ';
      return `        '${flag}[${plain(about)}]${takesValue ? `:value:${action}` : ''}'`;
    });
    const rest = given === 'file' ? "'*:file:_files'" : `'*:argument:(${given.join(' ')})'`;
    return [
      `      ${name})`,
      '        _arguments \\',
      ...specs.map((spec) => `${spec} \\`),
      `        ${rest} ;;`,
    ].join('\n');
  });
  return [
    '#compdef backstory',
    '# backstory completion for zsh: source <(backstory completion zsh)',
    '_backstory() {',
    '  local -a commands',
    '  commands=(',
    ...commands.map(({ name, summary }) => `    '${name}:${plain(summary)}'`),
    '  )',
    '  if (( CURRENT == 2 )); then',
    "    _describe 'command' commands",
    '  else',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the shell.
    '    local command=${words[2]}',
    '    shift words; (( CURRENT-- ))',
    '    case $command in',
    ...cases,
    '    esac',
    '  fi',
    '}',
    // Loaded from a file of the function path it is called by its name; sourced, it has to be made known.
    'if [[ $funcstack[1] == _backstory ]]; then _backstory "$@"; else compdef _backstory backstory; fi',
  ].join('\n');
}

function fish(commands: Completed[]): string {
  const seen = (name: string): string => `-n '__fish_seen_subcommand_from ${name}'`;
  const lines = commands.flatMap(({ name, summary, options, arguments: given }) => [
    `complete -c backstory -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    ...(given === 'file'
      ? [`complete -c backstory ${seen(name)} -F`]
      : given.length === 0
        ? []
        : [`complete -c backstory ${seen(name)} -a ${quoted(given.join(' '))}`]),
    ...options.map(({ flag, about, takesValue, choices, isFile }) => {
      const value = !takesValue ? '' : isFile ? ' -r -F' : ` -x -a ${quoted(choices.join(' '))}`;
      return `complete -c backstory ${seen(name)} -l ${flag.slice(2)}${value} -d ${quoted(about)}`;
    }),
  ]);
  return [
    '# backstory completion for fish: backstory completion fish | source',
    'complete -c backstory -f',
    ...lines,
  ].join('\n');
}

const shells = { bash, zsh, fish };
