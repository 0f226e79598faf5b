import { noteKinds } from '../domain/note.ts';
import { shownKinds } from '../recall/parse-filter.ts';
import type { Command } from './command.ts';

/** What an option means, for help, reference and completion. Most options mean the same wherever they stand. */
export interface OptionHelp {
  about: string;
  /** How its value is called in usage. */
  value?: string;
  choices?: readonly string[];
  isFile?: true;
}

const agents = ['claude-code', 'codex', 'opencode', 'pi', 'cursor'];

const words: Record<string, OptionHelp> = {
  json: { about: 'Print for programs.' },
  help: { about: 'Say what this command does.' },
  kind: {
    about: 'Only of these kinds, separated by commas.',
    value: 'KIND',
    choices: shownKinds,
  },
  'remember kind': { about: 'What kind of note it is.', value: 'KIND', choices: noteKinds },
  file: { about: 'Only about this file; the end of its path is enough.', value: 'FILE', isFile: true },
  folder: { about: 'Only about this folder.', value: 'FOLDER', isFile: true },
  concept: { about: 'Only with this concept.', value: 'CONCEPT' },
  concepts: { about: 'Concepts it is filed under, separated by commas.', value: 'A,B' },
  agent: { about: 'Only from this agent.', value: 'AGENT', choices: agents },
  session: { about: 'Only of this agent session.', value: 'SESSION' },
  'handoff session': { about: 'Another work session than the one here.', value: 'ID' },
  'brief session': { about: 'Another work session than the one here.', value: 'ID' },
  branch: { about: 'Only from this branch.', value: 'BRANCH' },
  since: { about: 'Not before: a date, or 3d, 12h.', value: 'TIME' },
  until: { about: 'Not after: a date, or 3d, 12h.', value: 'TIME' },
  trust: { about: 'Of at least this trust: 3 you wrote, 2 you approved, 1 agents, 0 others.', value: 'N' },
  in: { about: 'Where to look.', value: 'PART', choices: ['notes', 'prompts', 'sessions', 'all'] },
  format: { about: 'A line of each, or the whole text.', value: 'FORMAT', choices: ['index', 'full'] },
  explain: { about: 'Say why each was found.' },
  recover: { about: 'Write back to the log what an index still holds of it.' },
  'verify accept': { about: 'Take the log and the edited notes as they are now.' },
  limit: { about: 'At most this many.', value: 'N' },
  offset: { about: 'Skip this many first.', value: 'N' },
  before: { about: 'How many before.', value: 'N' },
  after: { about: 'How many after.', value: 'N' },
  files: { about: 'Files it is about, separated by commas.', value: 'A,B', isFile: true },
  'pack files': { about: 'At most this many files.', value: 'N' },
  text: { about: 'The new text, instead of an editor.', value: 'TEXT' },
  off: { about: 'The opposite.' },
  accept: { about: 'Accept this note.', value: 'ID' },
  reject: { about: 'Reject this note; it stays away.', value: 'ID' },
  containing: { about: 'Everything with exactly this text.', value: 'TEXT' },
  query: { about: 'Everything that a recall of these words finds.', value: 'WORDS' },
  source: { about: 'Everything of an agent session, a file or a tool.', value: 'SOURCE' },
  everything: { about: 'All of this project.' },
  yes: { about: 'Do not ask.' },
  why: { about: 'Say why each line is in it.' },
  regex: { about: 'The text is a regular expression.' },
  'ignore-case': { about: 'Upper and lower case are the same.' },
  word: { about: 'Whole words only.' },
  multiline: { about: 'A match may go over several lines.' },
  path: { about: 'Only in paths with this part, or matching this glob.', value: 'GLOB', isFile: true },
  lang: { about: 'Only in this language.', value: 'LANGUAGE' },
  review: { about: 'To review what is changed now, instead of fixing something.' },
  budget: { about: 'At most this many tokens.', value: 'TOKENS' },
  changed: { about: 'Count this file as changed too.', value: 'PATH', isFile: true },
  start: { about: 'Start the agent with the brief.' },
  pin: { about: 'Lines that the next agent must see.', value: 'FILE:FROM-TO', isFile: true },
  'write-to': { about: 'Write the brief into this file.', value: 'FILE', isFile: true },
  'remove-from': { about: 'Take the brief out of this file again.', value: 'FILE', isFile: true },
  scope: { about: 'For you everywhere, or for this project.', value: 'SCOPE', choices: ['user', 'project'] },
  surface: {
    about: 'What the agent gets beside capture: tools, the skill, or both.',
    value: 'SURFACE',
    choices: ['both', 'mcp', 'skill'],
  },
  tools: {
    about: 'Which tools it gets.',
    value: 'SET',
    choices: ['core', 'memory', 'code', 'all'],
  },
  'trust-hooks': { about: 'Mark our hooks as trusted by you in Codex.' },
  plugin: { about: 'The plugin directory brings the entries; only give your word.' },
  fresh: { about: 'Gather it anew from the files, without writing it down.' },
  'dry-run': { about: 'Say what would be done, and do nothing.' },
  drop: { about: 'Take a theme apart again; its notes stay.', value: 'ID' },
  'token-stdin': { about: 'Read your own token from stdin instead of signing in by a code.' },
  'plain-http': { about: 'Allow a server without TLS that is not on this machine.' },
  repair: { about: 'Write the entries anew.' },
  here: { about: 'Only what belongs to this project.' },
  from: { about: 'Where it lies, if not in the usual place.', value: 'PATH', isFile: true },
  remove: { about: 'Take a pattern off the list again.' },
  print: { about: 'Print the address instead of opening a browser.' },
  retry: { about: 'Ask again about sessions that failed.' },
  url: { about: 'Where the model answers.', value: 'URL' },
  key: { about: 'The variable that holds the key; never the key itself.', value: 'VARIABLE' },
  price: { about: 'Dollars for a million tokens in and out.', value: 'IN/OUT' },
  program: { about: 'The program to ask, if it is not on PATH.', value: 'PATH', isFile: true },
  days: { about: 'Over this many days.', value: 'N' },
  project: { about: 'For this project only.' },
  unset: { about: 'Back to the default.' },
};

/** Undefined for an option that nobody has put into words yet; a test finds it. */
export const optionHelp = (command: string, option: string): OptionHelp | undefined =>
  words[`${command} ${option}`] ?? words[option];

/** What may stand after a command's name, where that is a short list or a file. */
export const argumentChoices: Record<string, readonly string[] | 'file'> = {
  install: agents,
  uninstall: agents,
  handoff: agents,
  import: [...agents, 'git', 'claude-mem', 'triforge', 'thehook', 'claude-memory', 'basic-memory'],
  reindex: ['memory', 'code'],
  project: ['list', 'link', 'split'],
  models: ['use', 'off'],
  completion: ['bash', 'zsh', 'fish'],
  why: 'file',
  outline: 'file',
  restore: 'file',
};

/** All options of a command, with those that every command has. */
export const optionsOf = ({ name, options = {} }: Command) =>
  [...Object.entries(options), ['json', { type: 'boolean' as const }] as const].map(([option, config]) => ({
    option,
    short: 'short' in config ? config.short : undefined,
    takesValue: config.type === 'string',
    ...(optionHelp(name, option) ?? { about: '' }),
  }));
