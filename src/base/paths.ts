import { sep } from 'node:path';

/** Where everything lives under the Backstory home folder. Nothing else builds these paths. */
export interface HomePaths {
  home: string;
  config: string;
  device: string;
  installs: string;
  failures: string;
  /** Room, taken in advance, to count what a full disk kept from being stored. */
  lostWrites: string;
  /** What was asked of a model, and what it cost. */
  ledger: string;
  /** Held, by the kernel, by the one process that asks a model. */
  askingLock: string;
  /** Empty but for what a model's program is told; it is run here. */
  asking: string;
  /** What opens the servers of teams; for this user alone. */
  teamTokens: string;
  projects: string;
  /** Cache of "which project is this folder?", one file per folder an agent worked in. */
  pathCache(folderHash: string): string;
  project(id: string): ProjectPaths;
}

export interface ProjectPaths {
  folder: string;
  identity: string;
  /** Beside the identity, not in it: the drain writes this one and hooks the other. */
  rootCommits: string;
  config: string;
  events: string;
  notes: string;
  index: string;
  /** Derived: the code index of each checkout. */
  code(checkout: string): string;
  prelude: string;
  /** Derived: which work sessions there are. */
  workSessions: string;
  snapshots: string;
  /** Which team this project has joined; there is none without it. */
  team: string;
  /** Derived: how far this machine and the team's server have come with each note. */
  teamSync: string;
  /** Held, by the kernel, by the one process that may index or ingest. */
  writerLock: string;
  /** Touched by a working drain, so a hook can see without any lock that none needs starting. */
  drainMarker: string;
}

/** Not `join`, which takes each apart to put it together again: a hook has no time for that. */
const under = (folder: string, name: string): string => folder + sep + name;

export function homePaths(home: string): HomePaths {
  const projects = under(home, 'projects');
  return {
    home,
    config: under(home, 'config.json'),
    device: under(home, 'device.json'),
    installs: under(home, 'installs.json'),
    failures: under(home, 'failures.jsonl'),
    lostWrites: under(home, 'lost-writes.txt'),
    ledger: under(home, 'ledger.jsonl'),
    askingLock: under(home, 'asking.lock'),
    asking: under(home, `cache${sep}asking`),
    teamTokens: under(home, 'team-tokens.json'),
    projects,
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
    workSessions: under(folder, 'work-sessions.json'),
    snapshots: under(folder, 'snapshots'),
    team: under(folder, 'team.json'),
    teamSync: under(folder, 'team-sync.json'),
    writerLock: under(folder, 'writer.lock'),
    drainMarker: under(folder, 'drain.running'),
  };
}
