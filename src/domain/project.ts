/** The content of `projects/<id>/project.json`. */
export interface Project {
  v: 1;
  /** The first 128 bits of the hash of the project's first key; never changes. */
  id: string;
  name: string;
  /** Every key that identifies this project: `remote:…`, `root:…`, `path:…`. */
  keys: string[];
  /** Working trees in which the project was seen, newest last. */
  paths: string[];
  /** HEADs of its working trees at each visit, newest last. A clone that contains one of them belongs to this project. */
  commits?: string[];
  created: string;
  /** Split off from a larger project by the user, so its path takes precedence over the remote it shares. */
  isSplit?: boolean;
  /** Projects that `import` has offered to link with this one. */
  offered?: string[];
  /** Set when this project was linked into another. */
  linkedTo?: string;
}

/** A resolved working folder of an agent. */
export interface Place {
  project: string;
  name: string;
  checkout: string;
  /** Top of the working tree; outside git, the folder itself. */
  root: string;
  branch: string;
  head: string;
}
