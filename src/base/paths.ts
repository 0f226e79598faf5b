import { sep } from 'node:path';

/** The paths of all files below the Backstory home folder. No other code builds these paths. */
export interface HomePaths {
  home: string;
  config: string;
  device: string;
  installs: string;
  /** The transcripts that agents had before Backstory was installed. */
  pastTranscripts: string;
  failures: string;
  /**
   * Counts events that could not be written. The file is preallocated, so that it can be updated even if the disk is
   * full.
   */
  lostWrites: string;
  /** The file that records every model call and its cost. */
  ledger: string;
  /** A kernel lock, held by the one process that calls a model. */
  modelCallLock: string;
  /** The working directory of a model's program; it contains only the files that program needs. */
  modelCallFolder: string;
  /** Tokens for team servers, readable by this user only. */
  teamTokens: string;
  /** What the user said for every project. */
  everywhere: {
    notes: string;
    /** The lines of these notes in every prelude, the context for new sessions. Derived from the notes. */
    prelude: string;
    /** Those that are compared with tool calls. Derived from the notes. */
    rules: string;
    /** Ids of removed notes, so that restoring an export does not bring them back. */
    removed: string;
  };
  projects: string;
  /** Node's compile cache of commands. */
  compiled: string;
  /** Node's compile cache of the hook, one folder for each version. */
  hookCaches: string;
  /** Cache: folder to project, one file per folder an agent worked in. */
  pathCache(folderHash: string): string;
  project(id: string): ProjectPaths;
}

export interface ProjectPaths {
  folder: string;
  identity: string;
  /**
   * Root commits of the project. They are not in the identity file, because hooks write that file, and the drain (the
   * background process that indexes new events) writes this one.
   */
  rootCommits: string;
  config: string;
  events: string;
  notes: string;
  index: string;
  /** The code index of a checkout, which can be rebuilt from its files. */
  code(checkout: string): string;
  prelude: string;
  /** Which agent sessions are to be reminded to save what was settled. Derived data. */
  reminders: string;
  /** The rules that are compared with tool calls. Derived from the notes. */
  rules: string;
  /** Which rules agent sessions have been told. Derived data. */
  toldRules: string;
  /** Lines for topics that a prompt may be about. Derived from the notes. */
  topics: string;
  /** What agent sessions were told with their prompts. Derived data. */
  toldPrompts: string;
  /** The cached list of work sessions, which can be rebuilt from the events. */
  workSessions: string;
  snapshots: string;
  /** The team this project has joined; absent if none. */
  team: string;
  /** The sync state of each note with the team server. It is derived data, not a source of truth. */
  teamSync: string;
  /** The copy of the team's newest issues, comments and jobs. Derived: the next sync restores it. */
  teamMemories: string;
  /** When the team last did not answer a question, so that the next question does not wait for it again. */
  teamSilence: string;
  /** A kernel lock, held by the one process that may write the index or read agents' transcripts into the log. */
  writerLock: string;
  /**
   * Touched by a running drain, the background process that indexes new events, so that a hook can see without a lock
   * that it need not start one.
   */
  drainMarker: string;
}

/** Concatenates instead of `join`, which parses and normalizes each path; too slow for a hook. */
const under = (folder: string, name: string): string => folder + sep + name;

export function homePaths(home: string): HomePaths {
  const projects = under(home, 'projects');
  return {
    home,
    config: under(home, 'config.json'),
    device: under(home, 'device.json'),
    installs: under(home, 'installs.json'),
    pastTranscripts: under(home, 'past-transcripts.json'),
    failures: under(home, 'failures.jsonl'),
    lostWrites: under(home, 'lost-writes.txt'),
    ledger: under(home, 'ledger.jsonl'),
    modelCallLock: under(home, 'asking.lock'),
    modelCallFolder: under(home, `cache${sep}asking`),
    teamTokens: under(home, 'team-tokens.json'),
    everywhere: {
      notes: under(home, `everywhere${sep}notes`),
      prelude: under(home, `everywhere${sep}prelude.json`),
      rules: under(home, `everywhere${sep}rules.json`),
      removed: under(home, `everywhere${sep}removed.txt`),
    },
    projects,
    compiled: under(home, `cache${sep}compiled`),
    hookCaches: under(home, `cache${sep}hooks`),
    pathCache: (folderHash) => under(home, `paths${sep}${folderHash}.json`),
    project: (id) => projectPaths(under(projects, id)),
  };
}

function projectPaths(folder: string): ProjectPaths {
  return {
    folder,
    identity: under(folder, 'project.json'),
    rootCommits: under(folder, 'root-commits.json'),
    config: under(folder, 'config.json'),
    events: under(folder, 'events'),
    notes: under(folder, 'notes'),
    index: under(folder, 'index'),
    code: (checkout) => under(folder, `code${sep}${checkout}`),
    prelude: under(folder, 'prelude.json'),
    reminders: under(folder, 'reminders.json'),
    rules: under(folder, 'rules.json'),
    toldRules: under(folder, 'told-rules.json'),
    topics: under(folder, 'topics.json'),
    toldPrompts: under(folder, 'told-prompts.json'),
    workSessions: under(folder, 'work-sessions.json'),
    snapshots: under(folder, 'snapshots'),
    team: under(folder, 'team.json'),
    teamSync: under(folder, 'team-sync.json'),
    teamMemories: under(folder, 'team-memories.json'),
    teamSilence: under(folder, 'team-silence.json'),
    writerLock: under(folder, 'writer.lock'),
    drainMarker: under(folder, 'drain.running'),
  };
}
