import { join } from 'node:path';

/** Where everything lives under the Backstory home folder. Nothing else builds these paths. */
export interface HomePaths {
  home: string;
  config: string;
  device: string;
  installs: string;
  failures: string;
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
  prelude: string;
  /** Held, by the kernel, by the one process that may index or ingest. */
  writerLock: string;
  /** Touched by a working drain, so a hook can see without any lock that none needs starting. */
  drainMarker: string;
}

export function homePaths(home: string): HomePaths {
  const projects = join(home, 'projects');
  return {
    home,
    config: join(home, 'config.json'),
    device: join(home, 'device.json'),
    installs: join(home, 'installs.json'),
    failures: join(home, 'failures.jsonl'),
    projects,
    pathCache: (folderHash) => join(home, 'paths', `${folderHash}.json`),
    project: (id) => projectPaths(join(projects, id)),
  };
}

function projectPaths(folder: string): ProjectPaths {
  return {
    folder,
    identity: join(folder, 'project.json'),
    rootCommits: join(folder, 'root-commits.json'),
    config: join(folder, 'config.json'),
    events: join(folder, 'events'),
    notes: join(folder, 'notes'),
    index: join(folder, 'index'),
    prelude: join(folder, 'prelude.json'),
    writerLock: join(folder, 'writer.lock'),
    drainMarker: join(folder, 'drain.running'),
  };
}
