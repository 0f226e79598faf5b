import { basename, resolve } from 'node:path';
import { type HistoryPrompt, readClaudeHistory } from '../agents/claude-code/history.ts';
import type { InstallableAgent } from '../agents/setup.ts';
import {
  type FoundTranscript,
  findTranscripts,
  transcriptAgents,
  transcriptSources,
} from '../agents/transcripts.ts';
import { isoTime, localDay } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { isFolder, readJson } from '../base/files.ts';
import { unconfirmed } from '../domain/event.ts';
import { type ForeignTool, foreignTools } from '../domain/foreign-tools.ts';
import type { Place, Project } from '../domain/project.ts';
import type { Repository } from '../git/repository.ts';
import { archivedProject, restoreProject } from '../memory/archive.ts';
import { withTilde } from '../memory/capture/capture.ts';
import { importHistory, maxFirstCommits } from '../memory/capture/commits.ts';
import { importEntire } from '../memory/capture/import-entire.ts';
import { type ImportReport, importTranscripts, nothing } from '../memory/capture/import-transcripts.ts';
import { findNextSteps, nextStepLines } from '../memory/next-step.ts';
import { maxOffered } from '../memory/notes/distil-sessions.ts';
import { importStore } from '../memory/notes/import-notes.ts';
import { inboxOf, reviewable, waitingIn } from '../memory/notes/review.ts';
import { activationOf } from '../memory/projects/activation.ts';
import { type GoneEvidence, repositoriesOf } from '../memory/projects/gone-folder.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import {
  listProjects,
  nextLinkOffer,
  type Resolved,
  resolvePlace,
  saveProject,
} from '../memory/projects/projects.ts';
import { agentName, momentOf } from '../recall/parse-filter.ts';
import { plural } from '../text/plural.ts';
import type { App, Command, Outcome, ParsedArgs } from './command.ts';
import { isSet, stringOf } from './command.ts';
import { confirmPrompts, waitingPromptsText } from './confirm-prompts.ts';
import { offerReview } from './review.ts';
import { formatBytes, offerText } from './status.ts';

export const importCommand: Command = {
  name: 'import',
  usage:
    'import [AGENT…|git|entire|claude-mem|thehook|claude-memory|basic-memory|FILE] [--since 90d|DATE] [--here] [--from PATH] [--dry-run]',
  summary:
    "Import agents' transcripts, the git history, Entire's checkpoints, the memory of another tool, or a file of `backstory export`.",
  group: 'Setup',
  options: {
    since: { about: 'Only after this time: a date, or 3d, 12h.', value: 'TIME' },
    here: { about: 'Only this project.' },
    from: { about: 'Path of the data, if it is not in the default location.', value: 'PATH' },
    'dry-run': { about: 'List the sessions that would be read, and import nothing.' },
  },
  // Anyone can write an export file with any note in it.
  needsPerson: ({ positionals: [source] }) => (isExportFile(source) ? 'Restoring an export' : undefined),
  async run(app, args) {
    const [source, ...others] = args.positionals;
    const alone = args.positionals.find((name) => !isAgent(name));
    if (alone !== undefined && others.length > 0)
      throw new AppError('INVALID_ARGUMENT', `${alone} is no agent, so it is imported alone`, {
        hint: `backstory import ${alone}`,
      });
    if (isSet(args, 'dry-run')) return describePlan(app, planImport(app, args));
    if (isExportFile(source)) return importExport(app, source);
    if (source === 'git') return importGit(app, args);
    if (source === 'entire') return importCheckpoints(app);
    const tool = foreignTools.find((known) => known === source);
    if (tool !== undefined) return importTool(app, args, tool);
    return runImport(app, planImport(app, args), isSet(args, 'here') ? app.place().project : undefined);
  },
};

/** Imports all commits of the git history. Background indexing (a drain) imports only the newest. */
async function importGit(app: App, args: ParsedArgs): Promise<Outcome> {
  const parts = app.open(app.rememberPlace().project);
  const since = stringOf(args, 'since');
  const range = since === undefined ? {} : { since: isoTime(momentOf(since, app.clock.now())) };
  const events = await importHistory(parts, range);
  return { value: { events }, text: `Imported ${plural(events, 'commit')}.` };
}

/** Imports what Entire stored in the branch `entire/checkpoints/v1`, as a teammate's. */
async function importCheckpoints(app: App): Promise<Outcome> {
  const place = app.rememberPlace();
  const done = await importEntire(app.open(place.project), place.root);
  const what = `${plural(done.events, 'message')} of ${plural(done.sessions, 'session')}`;
  const skipped = done.skipped === 0 ? [] : [`${plural(done.skipped, 'session')} cannot be read.`];
  const text = `Imported ${what} from entire/checkpoints/v1, as a teammate's: recall finds them, and no session is told them.`;
  return { value: { ...done }, text: [text, ...skipped].join('\n') };
}

const isAgent = (name: string): boolean => transcriptAgents.includes(agentName(name) as InstallableAgent);

/** A source with a dot or a slash is a file: no agent and no tool is called like that. */
const isExportFile = (source: string | undefined): source is string =>
  source !== undefined && /[./\\]/.test(source);

/** Restores events and notes of an export that are missing on this machine. */
async function importExport(app: App, name: string): Promise<Outcome> {
  const file = resolve(app.cwd, name);
  const archived = await archivedProject(file);
  const known = readJson<Project>(app.paths.project(archived.id).identity);
  if (known === undefined) saveProject(app.paths, archived);
  const counts = await restoreProject(app.open(archived.id), file);
  return {
    value: { project: archived.id, ...counts },
    text: `Restored ${plural(counts.events, 'event')} and ${plural(counts.notes, 'note')} of ${archived.name}.`,
  };
}

async function importTool(app: App, args: ParsedArgs, tool: ForeignTool): Promise<Outcome> {
  const place = app.rememberPlace();
  const from = stringOf(args, 'from');
  const { agentFolders: folders, userHome } = app;
  const where = { place, folders, userHome, ...(from === undefined ? {} : { from }) };
  const notes = await importStore(app.open(place.project), tool, where);
  const text = `Imported ${plural(notes, 'note')} from ${tool}. Imported notes are candidates. To accept them: backstory review`;
  const isLoaded = tool === 'claude-memory' && from === undefined;
  return { value: { tool, notes }, text: [text, ...(isLoaded ? [loadedAnyway] : [])].join('\n') };
}

const loadedAnyway =
  'CLAUDE.md and the first 200 lines of MEMORY.md are not imported: Claude Code reads them in every session.';

interface ProjectPlan {
  place: Place;
  /** The working trees in which the sessions took place, with their number. */
  folders: Map<string, number>;
  transcripts: FoundTranscript[];
  /** Prompts of Claude Code sessions that have no transcript. */
  history: HistoryPrompt[];
}

interface ImportPlan {
  projects: ProjectPlan[];
  /** Stores the folders of the sessions, in the order in which they were found. */
  remember(): void;
  skipped: { cwd: string; reason: string }[];
}

function planImport(app: App, args: ParsedArgs): ImportPlan {
  const agents =
    args.positionals.length === 0
      ? transcriptAgents
      : args.positionals.map((name) => agentName(name) as InstallableAgent);
  const unknown = args.positionals.find((name) => !isAgent(name));
  if (unknown !== undefined) {
    throw new AppError('INVALID_ARGUMENT', `${unknown} is not an agent whose sessions can be imported`, {
      hint: `backstory import ${transcriptAgents.join(' ')}`,
    });
  }
  const since = momentOf(stringOf(args, 'since') ?? '1970-01-01', app.clock.now());
  const here = isSet(args, 'here') ? app.place().project : undefined;
  const transcripts = findTranscripts(app.agentFolders, agents);
  const { projects, remember, planFor } = createPlanner(app, here, transcripts);
  const skipped: ImportPlan['skipped'] = [];
  for (const transcript of transcripts) {
    if (transcript.changed < since) continue;
    const found = planFor(transcript.cwd, transcript);
    if (found === undefined) continue;
    if ('reason' in found) {
      skipped.push({ cwd: transcript.cwd, reason: found.reason });
      continue;
    }
    const { plan, root } = found;
    plan.transcripts.push(transcript);
    plan.folders.set(root, (plan.folders.get(root) ?? 0) + 1);
  }
  for (const prompt of agents.includes('claude-code') ? promptsWithoutTranscript(app, transcripts) : []) {
    const found = prompt.at < since ? undefined : planFor(prompt.cwd);
    if (found !== undefined && 'plan' in found) found.plan.history.push(prompt);
  }
  return { projects: [...projects.values()], remember, skipped };
}

type Planned = { plan: ProjectPlan; root: string } | { reason: string } | undefined;

/** `planFor` returns the plan of a folder's project, or the reason why nothing is captured there. */
function createPlanner(app: App, here: string | undefined, transcripts: FoundTranscript[]) {
  const projects = new Map<string, ProjectPlan>();
  const byFolder = new Map<string, Planned>();
  /** The projects as they will be, so that two new ones are told apart before either is stored. */
  const known = new Map(listProjects(app.paths).map((project) => [project.id, project]));
  const visits: (() => Resolved)[] = [];
  let repositories: Repository[] | undefined;
  const evidenceOf = (transcript: FoundTranscript | undefined): GoneEvidence => {
    repositories ??= repositoriesOf([...new Set(transcripts.map(({ cwd }) => cwd))]);
    const source = transcript && transcriptSources[transcript.agent];
    return { ...source?.originOf?.(transcript?.file ?? ''), repositories };
  };
  const find = (cwd: string, transcript: FoundTranscript | undefined): Planned => {
    const gone = isFolder(cwd) ? undefined : evidenceOf(transcript);
    const { place, project } = resolvePlace(app.paths, cwd, app.clock, {
      gone,
      projects: [...known.values()],
    });
    if (here !== undefined && place.project !== here) return undefined;
    const activation = activationOf(app.paths, { ...place, cwd, userHome: app.userHome }, app.clock);
    if (!activation.on) return { reason: activation.reason };
    if (project !== undefined) known.set(project.id, project);
    visits.push(() => resolvePlace(app.paths, cwd, app.clock, { gone }));
    const fresh = { place, folders: new Map(), transcripts: [], history: [] };
    const plan: ProjectPlan = projects.get(place.project) ?? fresh;
    if (!isFolder(plan.place.root)) plan.place = place;
    projects.set(place.project, plan);
    return { plan, root: place.root };
  };
  const planFor = (cwd: string, transcript?: FoundTranscript) => {
    if (!byFolder.has(cwd)) byFolder.set(cwd, find(cwd, transcript));
    return byFolder.get(cwd);
  };
  const remember = (): void => {
    for (const visit of visits) visit().remember();
  };
  return { projects, remember, planFor };
}

/** A session whose transcript exists is imported from it, with its answers. */
function promptsWithoutTranscript(app: App, transcripts: FoundTranscript[]): HistoryPrompt[] {
  const sessions = new Set(transcripts.map(({ file }) => basename(file, '.jsonl')));
  const history = [...readClaudeHistory(app.agentFolders['claude-code'].config)];
  return history.filter(({ session }) => !sessions.has(session));
}

const bytesOf = (transcripts: FoundTranscript[]): number =>
  transcripts.reduce((sum, { bytes }) => sum + bytes, 0);

/** Lists what `runImport` would read. Reads and writes nothing. */
function describePlan(app: App, { projects, skipped }: ImportPlan): Outcome {
  const rows = projects.map(({ place, transcripts, history }) => ({
    project: place.project,
    name: place.name,
    root: place.root,
    transcripts: transcripts.length,
    bytes: bytesOf(transcripts),
    prompts: history.length,
  }));
  const lines = rows.map(({ name, root, transcripts, bytes, prompts }) => {
    const parts = [plural(transcripts, 'session'), formatBytes(bytes), ...withoutTranscript(prompts)];
    return `${app.style.bold(name)}  ${parts.join(', ')}  ${app.style.dim(root)}`;
  });
  return {
    value: { projects: rows, skipped },
    text: [...lines, ...skippedLine(app, skipped), 'Dry run: nothing was imported.'].join('\n'),
  };
}

const withoutTranscript = (prompts: number): string[] =>
  prompts === 0 ? [] : [`${plural(prompts, 'prompt')} without a transcript`];

const skippedLine = ({ style }: App, skipped: ImportPlan['skipped']): string[] =>
  skipped.length === 0
    ? []
    : [style.dim(`${plural(skipped.length, 'session')} skipped, for example: ${skipped[0]?.reason}`)];

async function runImport(
  app: App,
  { projects, remember, skipped }: ImportPlan,
  here: string | undefined,
): Promise<Outcome> {
  remember();
  const total = projects.reduce((sum, { transcripts }) => sum + bytesOf(transcripts), 0);
  const reading = app.progress('Reading');
  // An agent may have written the transcripts that it imports.
  const untyped = app.caller().kind === 'agent' ? { untyped: unconfirmed.importedByAgent } : {};
  const all: ImportReport = { ...nothing };
  let done = 0;
  for (const { place, transcripts, history } of projects) {
    const indexing = app.progress(`Indexing ${place.name}`);
    const onRead = (bytes: number): void => {
      done += bytes;
      reading.update(done, total);
    };
    const parts = { ...app.open(place.project), ...untyped };
    const searching = app.progress(`Searching ${place.name} for statements`);
    const steps = { onRead, onIndex: indexing.update, onDistil: searching.update };
    const report = await importTranscripts(parts, transcripts, steps, history);
    indexing.end();
    searching.end();
    all.files += report.files;
    all.events += report.events;
    all.prompts += report.prompts;
    all.commits += report.commits;
    all.readMs += report.readMs;
    all.isComplete &&= report.isComplete;
  }
  reading.end();
  if (!all.isComplete) {
    throw new AppError('INDEX_UNAVAILABLE', 'another process is indexing one of the projects', {
      hint: 'run backstory import again in a minute; it continues where it stopped',
      retryable: true,
    });
  }
  const confirmed = await confirmPrompts(app, here);
  for (const project of confirmed.projects) await readAgain(app, project);
  const found: FoundMemory[] = [];
  for (const { place, folders } of projects)
    found.push({ place, folders: foldersOf(folders), ...(await memoryOf(app.open(place.project))) });
  const counts = [
    `${plural(all.events, 'event')} from ${plural(all.files, 'transcript')} of ${plural(projects.length, 'project')}`,
    ...withoutTranscript(all.prompts),
    plural(all.commits, 'commit'),
  ];
  const text = [
    `Imported ${counts.slice(0, -1).join(', ')}, and ${counts.at(-1)}.`,
    ...skippedLine(app, skipped),
    ...(confirmed.yours === 0 ? [] : [`${plural(confirmed.yours, 'prompt')} confirmed as yours.`]),
    ...waitingPromptsText(confirmed.waiting),
    ...(all.files === 0 || all.events > 0
      ? []
      : ['Nothing in them was new, or Backstory does not know their records. To check: backstory doctor']),
    ...(all.commits < maxFirstCommits
      ? []
      : [app.style.dim('Older commits may be missing. To import all: backstory import git')]),
    ...found
      .sort((a, b) => b.sessions - a.sessions)
      .slice(0, maxShownProjects)
      .flatMap((one) => [
        foundLine(one, found.filter(({ place }) => place.name === one.place.name).length > 1),
        ...folderLine(app, one),
      ]),
    ...(found.length > maxShownProjects ? [`and ${found.length - maxShownProjects} more projects`] : []),
    ...found.flatMap(({ place }) => {
      const offer = nextLinkOffer(app.paths, place);
      return offer === undefined ? [] : [`${place.name} may be ${offerText(offer)}`];
    }),
    ...(all.events === 0
      ? []
      : [app.style.dim('Ask about it, in the folder of a project: backstory recall "QUESTION"')]),
  ].join('\n');
  const decided = await offerImported(app, found, text);
  const [most] = mostWaiting(app, found);
  const next = await findNextSteps(app, most && app.open(most.place.project), folderOf(app, most));
  const memory = found.map(({ place, ...rest }) => ({ project: place.project, ...rest }));
  return {
    value: {
      ...all,
      projects: projects.length,
      skipped,
      unconfirmed: confirmed.waiting,
      found: memory,
      next,
    },
    text: [decided ?? text, ...nextStepLines(next)].join('\n'),
  };
}

/** Searches the sessions with confirmed prompts for statements, and tells new sessions. */
async function readAgain(app: App, project: string): Promise<void> {
  const indexing = app.progress('Indexing');
  const searching = app.progress('Searching for statements');
  const steps = { onRead: () => {}, onIndex: indexing.update, onDistil: searching.update };
  await importTranscripts(app.open(project), [], steps);
  indexing.end();
  searching.end();
}

const maxShownProjects = 8;

/** What an imported project has: sessions, when they took place, statements that wait for review, and those that sessions are told although nobody confirmed them. */
interface FoundMemory {
  place: Place;
  folders: { root: string; sessions: number; isDeleted: boolean }[];
  sessions: number;
  from: string;
  to: string;
  waiting: number;
  told: number;
}

async function memoryOf({ access, notes }: OpenProject): Promise<Omit<FoundMemory, 'place' | 'folders'>> {
  const reading = access.forReading();
  const days = ((await reading?.index.sessionStates()) ?? []).map(({ last }) => localDay(last));
  await reading?.close();
  const list = await notes.list();
  const inbox = inboxOf(list);
  const told = reviewable(list).length - inbox.candidates.length;
  return {
    sessions: days.length,
    from: days.at(-1) ?? '',
    to: days[0] ?? '',
    waiting: waitingIn(inbox),
    told,
  };
}

/** Clones without a shared remote are projects of the same name, so their folder tells them apart. */
const foundLine = ({ place, sessions, from, to, waiting, told }: FoundMemory, isAmbiguous: boolean): string =>
  `${place.name}${isAmbiguous ? ` in ${place.root}` : ''}: ${plural(sessions, 'session')}${sessions === 0 ? '' : `, ${from} to ${to}`}; ${waiting === 0 ? 'no statements to review' : `${plural(waiting, 'statement')} to review, likeliest first`}${told === 0 ? '' : `; new sessions are told ${waiting === 0 ? plural(told, 'statement') : `${told} more`}`}`;

const foldersOf = (folders: ProjectPlan['folders']): FoundMemory['folders'] =>
  [...folders].map(([root, sessions]) => ({ root, sessions, isDeleted: !isFolder(root) }));

const maxShownFolders = 4;

/** Where the sessions took place that were put into one project. Nothing for those of one folder that still exists. */
function folderLine({ style, userHome }: App, { folders }: FoundMemory): string[] {
  if (folders.length < 2 && !folders.some(({ isDeleted }) => isDeleted)) return [];
  const shown = folders.toSorted((a, b) => b.sessions - a.sessions).slice(0, maxShownFolders);
  const parts = shown.map(
    ({ root, sessions, isDeleted }) =>
      `${sessions} in ${withTilde(root, userHome)}${isDeleted ? ' (deleted)' : ''}`,
  );
  const more = folders.length - shown.length;
  return [style.dim(`  ${parts.join(', ')}${more === 0 ? '' : `, and ${plural(more, 'more folder')}`}`)];
}

/** This project, then the others, those with most to review first. */
const mostWaiting = (app: App, found: FoundMemory[]): FoundMemory[] => {
  const here = app.place().project;
  const isHere = ({ place }: FoundMemory): number => Number(place.project === here);
  return found.toSorted((a, b) => isHere(b) - isHere(a) || b.waiting - a.waiting || b.sessions - a.sessions);
};

const folderOf = (app: App, found: FoundMemory | undefined): string | undefined =>
  found === undefined || found.place.project === app.place().project ? undefined : found.place.root;

/** Asks about the likeliest statements of this project, or of the one with most. Returns what was decided. */
async function offerImported(app: App, found: FoundMemory[], text: string): Promise<string | undefined> {
  const [most] = mostWaiting(app, found);
  if (most === undefined || most.waiting + most.told === 0) return undefined;
  const count = Math.min(most.waiting + most.told, maxOffered);
  const which = `the ${count === 1 ? 'likeliest one' : `${count} likeliest`} of ${most.place.name}`;
  return offerReview(app, most.place, { found: text, which, max: maxOffered });
}
