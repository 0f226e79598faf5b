/** What is known of a project; `projects/<id>/project.json`. */
export interface Project {
  v: 1;
  /** 128 bits of the hash of the key it was first seen by; never changes. */
  id: string;
  name: string;
  /** Every key that leads here: `remote:…`, `root:…`, `path:…`. */
  keys: string[];
  /** Working trees seen, newest last. */
  paths: string[];
  /** Commits that its working trees stood at when they were looked at, newest last. A clone proves by one of them that it belongs here. */
  commits?: string[];
  created: string;
  /** Parted from a larger project on request: its path goes before the remote it shares. */
  isSplit?: boolean;
  /** Set when this project was linked into another. */
  linkedTo?: string;
}

/** A place an agent works in, resolved. */
export interface Place {
  project: string;
  name: string;
  checkout: string;
  /** Top of the working tree, or the folder itself outside git. */
  root: string;
  branch: string;
  head: string;
}
