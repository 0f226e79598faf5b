import { AppError } from '../base/errors.ts';
import { type Command, optionsOf } from './command.ts';
import { loadCommands } from './commands.ts';

/** Generates shell completion from the command table, so that it always matches the help. */
export const completionCommand: Command = {
  name: 'completion',
  usage: 'completion bash|zsh|fish',
  summary: 'Print a completion script for your shell.',
  group: 'Setup',
  isHidden: true,
  arguments: ['bash', 'zsh', 'fish'],
  async run(_app, args) {
    const [shell = ''] = args.positionals;
    const write = Object.hasOwn(shells, shell) ? shells[shell as keyof typeof shells] : undefined;
    if (write === undefined)
      throw new AppError(
        'INVALID_ARGUMENT',
        shell === '' ? 'no shell given' : `unsupported shell: ${shell}`,
        {
          hint: 'source <(backstory completion bash)',
        },
      );
    const script = write(await completedCommands());
    return { value: { shell, script }, text: script, isVerbatim: true };
  },
};

interface CompletedCommand {
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

async function completedCommands(): Promise<CompletedCommand[]> {
  const visible = (await loadCommands()).filter(({ isHidden }) => isHidden !== true);
  return visible.map((command) => ({
    name: command.name,
    summary: command.summary,
    options: optionsOf(command).map(({ name, about, type, choices = [], isFile = false }) => ({
      flag: `--${name}`,
      about,
      takesValue: type === 'string',
      choices,
      isFile,
    })),
    arguments: command.arguments ?? [],
  }));
}

/** Quotes for a POSIX shell: within single quotes, only the quote itself is special. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function bash(commands: CompletedCommand[]): string {
  const cases = commands.map(({ name, options, arguments: args }) => {
    const values = options
      .filter(({ takesValue }) => takesValue)
      .map(({ flag, choices, isFile }) => {
        const reply = isFile ? '-f' : `-W ${quoted(choices.join(' '))}`;
        return `        ${flag}) COMPREPLY=($(compgen ${reply} -- "$cur")); return ;;`;
      });
    const reply = args === 'file' ? '-f' : `-W ${quoted(args.join(' '))}`;
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

function zsh(commands: CompletedCommand[]): string {
  // Removes colons and brackets from a description, because zsh treats them as syntax.
  const plain = (text: string): string => text.replace(/[:[\]]/g, ' ').replaceAll("'", "'\\''");
  const cases = commands.map(({ name, options, arguments: args }) => {
    const specs = options.map(({ flag, about, takesValue, choices, isFile }) => {
      const action = isFile ? '_files' : choices.length > 0 ? `(${choices.join(' ')})` : ' ';
      return `        '${flag}[${plain(about)}]${takesValue ? `:value:${action}` : ''}'`;
    });
    const rest = args === 'file' ? "'*:file:_files'" : `'*:argument:(${args.join(' ')})'`;
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
    // If zsh autoloads this file, the function is called by name. If it is sourced, compdef must register it.
    'if [[ $funcstack[1] == _backstory ]]; then _backstory "$@"; else compdef _backstory backstory; fi',
  ].join('\n');
}

function fish(commands: CompletedCommand[]): string {
  const seen = (name: string): string => `-n '__fish_seen_subcommand_from ${name}'`;
  const lines = commands.flatMap(({ name, summary, options, arguments: args }) => [
    `complete -c backstory -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    ...(args === 'file'
      ? [`complete -c backstory ${seen(name)} -F`]
      : args.length === 0
        ? []
        : [`complete -c backstory ${seen(name)} -a ${quoted(args.join(' '))}`]),
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
