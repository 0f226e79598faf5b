import { type FoundTranscript, findTranscripts } from '../agents/find-transcripts.ts';
import { isoTime } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { AgentName } from '../domain/event.ts';
import type { Place } from '../domain/project.ts';
import { importHistory } from '../memory/capture/commits.ts';
import { type ImportReport, importTranscripts } from '../memory/capture/import-transcripts.ts';
import { type ForeignTool, foreignTools, importStore } from '../memory/notes/import-stores.ts';
import { activationOf } from '../memory/projects/activation.ts';
import { resolvePlace } from '../memory/projects/projects.ts';
import { agentName, durationMs } from '../recall/parse-filter.ts';
import { plural } from '../text/plural.ts';
import type { App, Command, Given, Outcome } from './command.ts';
import { isSet, stringOf } from './command.ts';
import { size } from './status.ts';

const transcriptAgents: AgentName[] = ['claude-code', 'codex', 'opencode', 'pi'];

export const importCommand: Command = {
  name: 'import',
  usage:
    'import [AGENT…|git|claude-mem|triforge|thehook|claude-memory|basic-memory] [--since 90d|DATE] [--here] [--from PATH] [--dry-run]',
  summary:
    "Bring in what was done before Backstory: agents' transcripts, the whole git history, another tool's memory.",
  group: 'Set up',
  options: {
    since: { type: 'string' },
    here: { type: 'boolean' },
    from: { type: 'string' },
    'dry-run': { type: 'boolean' },
  },
  async run(app, given) {
    const [source] = given.positionals;
    if (source === 'git') return importGit(app, given);
    const tool = foreignTools.find((known) => known === source);
    if (tool !== undefined) return importTool(app, given, tool);
    const plan = planImport(app, given);
    if (isSet(given, 'dry-run')) return describePlan(app, plan);
    return runImport(app, plan);
  },
};

/** All of it, beyond the newest commits that a drain takes in by itself. */
async function importGit(app: App, given: Given): Promise<Outcome> {
  const place = app.rememberPlace();
  const parts = app.open({ id: place.project, name: place.name });
  const since = stringOf(given, 'since');
  const events = await importHistory(
    parts,
    since === undefined ? {} : { since: isoTime(sinceOf(since, app.clock.now())) },
  );
  return { value: { events }, text: `Imported ${plural(events, 'commit')}.` };
}

async function importTool(app: App, given: Given, tool: ForeignTool): Promise<Outcome> {
  const place = app.rememberPlace();
  const parts = app.open({ id: place.project, name: place.name });
  const from = stringOf(given, 'from');
  const where = {
    place,
    folders: app.agentFolders,
    userHome: app.userHome,
    ...(from === undefined ? {} : { from }),
  };
  const done = await importStore(parts, tool, where);
  const text = `Imported ${plural(done.notes, 'note')} and ${plural(done.events, 'event')} of ${tool}. Notes are candidates: pin the good ones.`;
  return { value: { tool, ...done }, text };
}

interface ImportPlan {
  projects: { place: Place; remember(): void; transcripts: FoundTranscript[] }[];
  skipped: { cwd: string; reason: string }[];
}

function planImport(app: App, given: Given): ImportPlan {
  const agents = given.positionals.length === 0 ? transcriptAgents : given.positionals.map(agentName);
  const unknown = agents.find((agent) => !transcriptAgents.includes(agent));
  if (unknown !== undefined) {
    throw new AppError('INVALID_ARGUMENT', `transcripts of ${unknown} cannot be imported`, {
      hint: `backstory import ${transcriptAgents.join(' ')}`,
    });
  }
  const since = sinceOf(stringOf(given, 'since'), app.clock.now());
  const here = isSet(given, 'here') ? app.place().project : undefined;
  const projects = new Map<string, ImportPlan['projects'][number]>();
  const skipped: ImportPlan['skipped'] = [];
  for (const transcript of findTranscripts(app.agentFolders, agents)) {
    if (transcript.changed < since) continue;
    const { place, remember } = resolvePlace(app.paths, transcript.cwd, app.clock);
    if (here !== undefined && place.project !== here) continue;
    const where = { ...place, cwd: transcript.cwd, userHome: app.userHome };
    const activation = activationOf(app.paths, where, app.clock);
    if (!activation.on) {
      skipped.push({ cwd: transcript.cwd, reason: activation.reason });
      continue;
    }
    const known = projects.get(place.project) ?? { place, remember, transcripts: [] };
    known.transcripts.push(transcript);
    projects.set(place.project, known);
  }
  return { projects: [...projects.values()], skipped };
}

function sinceOf(text: string | undefined, now: number): number {
  if (text === undefined) return 0;
  const ago = durationMs(text);
  const at = ago === undefined ? Date.parse(text) : now - ago;
  if (!Number.isNaN(at)) return at;
  throw new AppError('INVALID_ARGUMENT', `${text} is neither a date nor a length of time`, {
    hint: 'backstory import --since 90d',
  });
}

const bytesOf = (transcripts: FoundTranscript[]): number =>
  transcripts.reduce((sum, { bytes }) => sum + bytes, 0);

function describePlan(app: App, { projects, skipped }: ImportPlan): Outcome {
  const rows = projects.map(({ place, transcripts }) => ({
    project: place.project,
    name: place.name,
    root: place.root,
    transcripts: transcripts.length,
    bytes: bytesOf(transcripts),
  }));
  const lines = rows.map(
    (row) =>
      `${app.style.bold(row.name)}  ${plural(row.transcripts, 'session')}, ${size(row.bytes)}  ${app.style.dim(row.root)}`,
  );
  const left =
    skipped.length === 0
      ? []
      : [app.style.dim(`${plural(skipped.length, 'session')} left out, for example: ${skipped[0]?.reason}`)];
  const text = rows.length === 0 ? 'Nothing to import.' : lines.join('\n');
  return { value: { projects: rows, skipped }, text: [text, ...left].join('\n') };
}

async function runImport(app: App, { projects, skipped }: ImportPlan): Promise<Outcome> {
  const total = projects.reduce((sum, { transcripts }) => sum + bytesOf(transcripts), 0);
  const reading = app.progress('Reading');
  const all: ImportReport = { files: 0, events: 0, commits: 0, readMs: 0, isComplete: true };
  let done = 0;
  for (const { place, remember, transcripts } of projects) {
    remember();
    const indexing = app.progress(`Indexing ${place.name}`);
    const report = await importTranscripts(app.open({ id: place.project, name: place.name }), transcripts, {
      onRead: (bytes) => {
        done += bytes;
        reading.update(done, total);
      },
      onIndex: indexing.update,
    });
    indexing.end();
    all.files += report.files;
    all.events += report.events;
    all.commits += report.commits;
    all.readMs += report.readMs;
    all.isComplete &&= report.isComplete;
  }
  reading.end();
  if (!all.isComplete) {
    throw new AppError('INDEX_UNAVAILABLE', 'another process is indexing one of the projects', {
      hint: 'run backstory import again in a minute; it goes on where it stopped',
      retryable: true,
    });
  }
  return {
    value: { ...all, projects: projects.length, skipped },
    text: [
      `Imported ${plural(all.events, 'event')} from ${plural(all.files, 'transcript')} of ${plural(projects.length, 'project')}, and ${plural(all.commits, 'commit')}.`,
      app.style.dim(
        'Of commits the newest were taken; all that this repository remembers: backstory import git',
      ),
    ].join('\n'),
  };
}
