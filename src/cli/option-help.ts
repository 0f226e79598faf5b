import { installableAgents } from '../agents/settings.ts';
import { foreignTools } from '../domain/foreign-tools.ts';
import { noteKinds } from '../domain/note.ts';
import { kindChoices } from '../recall/parse-filter.ts';
import type { Command } from './command.ts';

/** Describes an option for help, reference docs and completion. Most options mean the same in every command. */
export interface OptionHelp {
  about: string;
  /** Name of the option's value in the usage line. */
  value?: string;
  choices?: readonly string[];
  isFile?: true;
}

const agents = installableAgents;

const optionTexts: Record<string, OptionHelp> = {
  json: { about: 'Print JSON.' },
  help: { about: 'Show this help.' },
  kind: {
    about: 'Only of these kinds, separated by commas.',
    value: 'KIND',
    choices: kindChoices,
  },
  'remember kind': { about: 'Kind of the note.', value: 'KIND', choices: noteKinds },
  everywhere: { about: 'Make it a statement of yours in every project.' },
  file: { about: 'Only about this file; the end of its path is enough.', value: 'FILE', isFile: true },
  folder: { about: 'Only about this folder.', value: 'FOLDER', isFile: true },
  concept: { about: 'Only with this concept.', value: 'CONCEPT' },
  concepts: { about: 'Concepts of the note, separated by commas.', value: 'A,B' },
  agent: { about: 'Only from this agent.', value: 'AGENT', choices: agents },
  session: { about: 'Only of this agent session.', value: 'SESSION' },
  'handoff session': { about: 'Use this work session instead of the latest one here.', value: 'ID' },
  'brief session': { about: 'Use this work session instead of the latest one here.', value: 'ID' },
  branch: { about: 'Only from this branch.', value: 'BRANCH' },
  since: { about: 'Only after this time: a date, or 3d, 12h.', value: 'TIME' },
  until: { about: 'Only before this time: a date, or 3d, 12h.', value: 'TIME' },
  trust: {
    about: 'Minimum trust: 3 you wrote it, 2 you approved it, 1 an agent wrote it, 0 other sources.',
    value: 'N',
  },
  in: { about: 'What to search.', value: 'PART', choices: ['notes', 'prompts', 'sessions', 'all'] },
  format: { about: 'One line per result, or the full text.', value: 'FORMAT', choices: ['index', 'full'] },
  explain: { about: 'Show why each result was found.' },
  recover: { about: 'Write lost events back to the log from the index.' },
  'verify accept': { about: 'Accept the log and edited notes as they are now.' },
  limit: { about: 'Maximum number of results.', value: 'N' },
  offset: { about: 'Number of results to skip.', value: 'N' },
  before: { about: 'Number of events before it.', value: 'N' },
  after: { about: 'Number of events after it.', value: 'N' },
  files: { about: 'Files the note is about, separated by commas.', value: 'A,B', isFile: true },
  'pack files': { about: 'Maximum number of files.', value: 'N' },
  text: { about: 'New text, instead of opening an editor.', value: 'TEXT' },
  now: { about: 'The right statement, which replaces the note.', value: 'TEXT' },
  'pause off': { about: 'Capture again.' },
  'pin off': { about: 'Unpin the note.' },
  'enforce command': { about: 'A command, such as "git push --force".', value: 'WORDS' },
  'enforce path': { about: 'A file that is written or deleted, such as "legacy/**".', value: 'GLOB' },
  'enforce package': { about: 'A package that is installed or added to a manifest.', value: 'NAME' },
  'enforce text': { about: 'Text that an edit adds.', value: 'TEXT' },
  tell: { about: 'Tell the agent the note, once in a session, instead of denying the call.' },
  'enforce off': { about: 'Compare the note with no tool calls. It stays pinned.' },
  accept: { about: 'Accept this note.', value: 'ID' },
  reject: { about: 'Delete this note, proposed or active. It will not be proposed again.', value: 'ID' },
  'audit team': { about: "The team's notes instead of those of this project." },
  unused: { about: 'Count a note as unused after this many days (180).', value: 'DAYS' },
  containing: { about: 'Everything with exactly this text.', value: 'TEXT' },
  query: { about: 'Everything that contains all of these words.', value: 'WORDS' },
  source: { about: 'Everything from an agent session, a file or a tool.', value: 'SOURCE' },
  everything: { about: 'Everything in this project.' },
  yes: { about: 'Do not ask for confirmation.' },
  why: { about: 'Show why each line is included.' },
  ask: { about: 'The text is a question, or names what to find.' },
  literal: { about: 'The text is exactly what to find.' },
  regex: { about: 'The text is a regular expression.' },
  'ignore-case': { about: 'Ignore case.' },
  word: { about: 'Match whole words only.' },
  multiline: { about: 'Allow a match to span several lines.' },
  path: { about: 'Only in paths that contain this text or match this glob.', value: 'GLOB', isFile: true },
  lang: { about: 'Only in this language.', value: 'LANGUAGE' },
  review: { about: 'Files for reviewing the current changes, not for fixing a bug.' },
  budget: { about: 'Maximum number of tokens.', value: 'TOKENS' },
  changed: { about: 'Treat this file as changed, too.', value: 'PATH', isFile: true },
  start: { about: 'Start the agent with the brief.' },
  pin: { about: 'Lines to include for the next agent.', value: 'FILE:FROM-TO', isFile: true },
  'write-to': { about: 'Write the brief into this file.', value: 'FILE', isFile: true },
  'remove-from': { about: 'Remove the brief from this file.', value: 'FILE', isFile: true },
  scope: {
    about: 'Install for your user, or for this project.',
    value: 'SCOPE',
    choices: ['user', 'project'],
  },
  surface: {
    about: 'What the agent gets besides capture: MCP tools, the skill, or both.',
    value: 'SURFACE',
    choices: ['both', 'mcp', 'skill'],
  },
  tools: {
    about: 'Set of MCP tools.',
    value: 'SET',
    choices: ['core', 'memory', 'code', 'all'],
  },
  'trust-hooks': { about: 'Mark the Backstory hooks as trusted in Codex.' },
  plugin: { about: "Allow capture by the agent's Backstory plugin; write no settings." },
  fresh: { about: 'Gather it from the files now, without writing the knowledge file.' },
  'dry-run': { about: 'Show what would be done, without doing it.' },
  'token-stdin': { about: 'Read your token from stdin instead of signing in with a code.' },
  'plain-http': { about: 'Allow a server without TLS on another machine.' },
  repair: { about: 'Write the settings entries again.' },
  here: { about: 'Only this project.' },
  from: { about: 'Path of the data, if it is not in the default location.', value: 'PATH', isFile: true },
  remove: { about: 'Remove the pattern from the list.' },
  print: { about: 'Print the URL instead of opening a browser.' },
  retry: { about: 'Call the model again for sessions that failed.' },
  url: { about: 'URL of the model endpoint.', value: 'URL' },
  key: { about: 'Environment variable with the API key; not the key itself.', value: 'VARIABLE' },
  price: { about: 'US dollars per million input and output tokens.', value: 'IN/OUT' },
  program: { about: 'Path of the program, if it is not on PATH.', value: 'PATH', isFile: true },
  days: { about: 'Number of days to cover.', value: 'N' },
  'team project': { about: "Name or id of the team's project.", value: 'NAME' },
  project: { about: 'For this project only.' },
  unset: { about: 'Reset to the default.' },
};

/** Returns the description of an option; undefined if it has none. A test reports options without one. */
export const optionHelp = (command: string, option: string): OptionHelp | undefined =>
  optionTexts[`${command} ${option}`] ?? optionTexts[option];

/** Completions for the arguments of a command: a short list, or files. */
export const argumentChoices: Record<string, readonly string[] | 'file'> = {
  install: agents,
  uninstall: agents,
  handoff: agents,
  import: [...agents, 'git', ...foreignTools],
  reindex: ['memory', 'code'],
  project: ['list', 'link', 'split'],
  models: ['use', 'off'],
  completion: ['bash', 'zsh', 'fish'],
  why: 'file',
  outline: 'file',
  restore: 'file',
};

/** All options of a command, including those that every command has. */
export const optionsOf = ({ name, options = {} }: Command) =>
  [...Object.entries(options), ['json', { type: 'boolean' as const }] as const].map(([option, config]) => ({
    option,
    short: 'short' in config ? config.short : undefined,
    takesValue: config.type === 'string',
    ...(optionHelp(name, option) ?? { about: '' }),
  }));
