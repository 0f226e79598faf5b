import { sep } from 'node:path';

/** Concatenates instead of `join`, which parses and normalizes each path; too slow for a hook. */
const under = (folder: string, name: string): string => folder + sep + name;

/** The paths of all files below the Backstory home folder. No other code builds these paths. */
export function homePaths(home: string) {
  const projects = under(home, 'projects');
  return {
    home,
    config: under(home, 'config.json'),
    device: under(home, 'device.json'),
    installs: under(home, 'installs.json'),
    /** The transcripts that agents had before Backstory was installed. */
    pastTranscripts: under(home, 'past-transcripts.json'),
    failures: under(home, 'failures.jsonl'),
    /**
     * Counts events that could not be written. The file is preallocated, so that it can be updated even if the disk is
     * full.
     */
    lostWrites: under(home, 'lost-writes.txt'),
    /** The file that records every model call and its cost. */
    ledger: under(home, 'ledger.jsonl'),
    /** A kernel lock, held by the one process that calls a model. */
    modelCallLock: under(home, 'asking.lock'),
    /** The working directory of a model's program; it contains only the files that program needs. */
    modelCallFolder: under(home, `cache${sep}asking`),
    /** Tokens for team servers, readable by this user only. */
    teamTokens: under(home, 'team-tokens.json'),
    /** What the user said for every project. */
    everywhere: {
      notes: under(home, `everywhere${sep}notes`),
      /** The lines of these notes in every prelude, the context for new sessions. Derived from the notes. */
      prelude: under(home, `everywhere${sep}prelude.json`),
      /** Those that are compared with tool calls. Derived from the notes. */
      rules: under(home, `everywhere${sep}rules.json`),
      /** Ids of removed notes, so that restoring an export does not bring them back. */
      removed: under(home, `everywhere${sep}removed.txt`),
    },
    projects,
    /** Node's compile cache of commands. */
    compiled: under(home, `cache${sep}compiled`),
    /** Node's compile cache of the hook, one folder for each version. */
    hookCaches: under(home, `cache${sep}hooks`),
    /** Cache: folder to project, one file per folder an agent worked in. */
    pathCache: (folderHash: string) => under(home, `paths${sep}${folderHash}.json`),
    project: (id: string) => projectPaths(under(projects, id)),
  };
}

export type HomePaths = ReturnType<typeof homePaths>;
export type ProjectPaths = ReturnType<typeof projectPaths>;

function projectPaths(folder: string) {
  return {
    folder,
    identity: under(folder, 'project.json'),
    /**
     * Root commits of the project. They are not in the identity file, because hooks write that file, and the drain (the
     * background process that indexes new events) writes this one.
     */
    rootCommits: under(folder, 'root-commits.json'),
    config: under(folder, 'config.json'),
    events: under(folder, 'events'),
    notes: under(folder, 'notes'),
    index: under(folder, 'index'),
    /** The code index of a checkout, which can be rebuilt from its files. */
    code: (checkout: string) => under(folder, `code${sep}${checkout}`),
    /** The uncommitted files of a checkout when they were last compared, and what changed. Derived data. */
    fileStates: (checkout: string) => under(folder, `files${sep}${checkout}.json`),
    comparisons: under(folder, `files${sep}comparisons.jsonl`),
    comparingLock: under(folder, `files${sep}comparing.lock`),
    prelude: under(folder, 'prelude.json'),
    /** The rules that are compared with tool calls. Derived from the notes. */
    rules: under(folder, 'rules.json'),
    /** Which rules agent sessions have been told. Derived data. */
    toldRules: under(folder, 'told-rules.json'),
    /** Which notes the prelude told, since when. Derived data. */
    toldLines: under(folder, 'told-lines.json'),
    /** Lines for topics that a prompt may be about. Derived from the notes. */
    topics: under(folder, 'topics.json'),
    /** What was observed of the project's commands. Derived from the events. */
    observed: under(folder, 'observed.json'),
    /** What agent sessions were told with their prompts. Derived data. */
    toldPrompts: under(folder, 'told-prompts.json'),
    /** The cached list of work sessions, which can be rebuilt from the events. */
    workSessions: under(folder, 'work-sessions.json'),
    snapshots: under(folder, 'snapshots'),
    /** Which past sessions a person let a model or an agent read, by run of `backstory learn`. */
    learning: under(folder, 'learning.json'),
    /** An answer of a model whose notes are not stored yet. */
    pendingAnswer: under(folder, 'pending-answer.json'),
    /** The team this project has joined; absent if none. */
    team: under(folder, 'team.json'),
    /** The sync state of each note with the team server. It is derived data, not a source of truth. */
    teamSync: under(folder, 'team-sync.json'),
    /** The copy of the team's newest issues, comments and jobs. Derived: the next sync restores it. */
    teamMemories: under(folder, 'team-memories.json'),
    /** When the team last did not answer a question, so that the next question does not wait for it again. */
    teamSilence: under(folder, 'team-silence.json'),
    /** A kernel lock, held by the one process that may write the index or read agents' transcripts into the log. */
    writerLock: under(folder, 'writer.lock'),
    /**
     * Touched by a running drain, the background process that indexes new events, so that a hook can see without a lock
     * that it need not start one.
     */
    drainMarker: under(folder, 'drain.running'),
  };
}
