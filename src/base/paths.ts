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
    pastTranscripts: under(home, 'past-transcripts.json'),
    failures: under(home, 'failures.jsonl'),
    /** Counts events that could not be written. Preallocated, so that it can be updated on a full disk. */
    lostWrites: under(home, 'lost-writes.txt'),
    ledger: under(home, 'ledger.jsonl'),
    /** A kernel lock, held by the one process that calls a model. */
    modelCallLock: under(home, 'asking.lock'),
    /** The working directory of a model's program; it contains only the files that program needs. */
    modelCallFolder: under(home, `cache${sep}asking`),
    /** Tokens for team servers, readable by this user only. */
    teamTokens: under(home, 'team-tokens.json'),
    everywhere: {
      notes: under(home, `everywhere${sep}notes`),
      prelude: under(home, `everywhere${sep}prelude.json`),
      rules: under(home, `everywhere${sep}rules.json`),
      /** Ids of removed notes, so that restoring an export does not bring them back. */
      removed: under(home, `everywhere${sep}removed.txt`),
    },
    projects,
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
    /** Root commits. Not in the identity file, because hooks write that one, and the drain this one. */
    rootCommits: under(folder, 'root-commits.json'),
    config: under(folder, 'config.json'),
    events: under(folder, 'events'),
    notes: under(folder, 'notes'),
    index: under(folder, 'index'),
    code: (checkout: string) => under(folder, `code${sep}${checkout}`),
    /** The uncommitted files of a checkout when they were last compared, and what changed. Derived. */
    fileStates: (checkout: string) => under(folder, `files${sep}${checkout}.json`),
    comparisons: under(folder, `files${sep}comparisons.jsonl`),
    comparingLock: under(folder, `files${sep}comparing.lock`),
    prelude: under(folder, 'prelude.json'),
    rules: under(folder, 'rules.json'),
    /** Which notes the prelude told, since when. Derived. */
    toldLines: under(folder, 'told-lines.json'),
    topics: under(folder, 'topics.json'),
    observed: under(folder, 'observed.json'),
    /** What agent sessions were told with their prompts and before tool calls. Derived. */
    toldSessions: under(folder, 'told-sessions.json'),
    workSessions: under(folder, 'work-sessions.json'),
    snapshots: under(folder, 'snapshots'),
    /** Which past sessions a person let a model or an agent read, by run of `backstory learn`. */
    learning: under(folder, 'learning.json'),
    /** An answer of a model whose notes are not stored yet. */
    pendingAnswer: under(folder, 'pending-answer.json'),
    team: under(folder, 'team.json'),
    teamSync: under(folder, 'team-sync.json'),
    teamMemories: under(folder, 'team-memories.json'),
    /** When the team last did not answer a question, so that the next question does not wait for it again. */
    teamSilence: under(folder, 'team-silence.json'),
    /** A kernel lock, held by the one process that may write the index or read agents' transcripts into the log. */
    writerLock: under(folder, 'writer.lock'),
    /** Touched by a running drain, so that a hook sees without a lock that it need not start one. */
    drainMarker: under(folder, 'drain.running'),
  };
}
