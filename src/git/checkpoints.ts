import { parseObject, text } from '../base/json.ts';
import { gitFoldersOf } from './git-folders.ts';
import { readRef } from './head.ts';
import { gitIn } from './in-repository.ts';
import { readObjects } from './objects.ts';

/** A session that Entire stored with a commit, in its branch `entire/checkpoints/v1`. */
export interface Checkpoint {
  session: string;
  /** Entire's name of the agent; empty if it is not named. */
  agent: string;
  author: string;
  /** Hash and size of the transcript. */
  transcript: string;
  bytes: number;
}

const branches = ['refs/heads', 'refs/remotes/origin'].map((place) => `${place}/entire/checkpoints/v1`);
const timeoutMs = 60_000;

/** Reads the list of checkpoints from the objects of the branch. Nothing is checked out. */
export async function readCheckpoints(root: string): Promise<Checkpoint[]> {
  const folders = gitFoldersOf(root);
  const [head] = branches.flatMap((ref) => (folders && readRef(folders.common, ref)) || []);
  if (head === undefined) return [];
  const tree = (await gitIn(root, ['ls-tree', '-r', '-l', head], timeoutMs)) ?? '';
  const files = new Map(
    [...tree.matchAll(/^\d+ blob (\w+) +(\d+)\t(.*)$/gm)].map(([, hash = '', size, path = '']) => [
      path,
      { hash, bytes: Number(size) },
    ]),
  );
  const found = [...files].flatMap(([path, { hash }]) => {
    const folder = /^(\w\w\/\w+\/\d+)\/metadata\.json$/.exec(path)?.[1];
    const transcript = folder && files.get(`${folder}/full.jsonl`);
    return transcript === undefined || transcript === '' ? [] : [{ path, hash, transcript }];
  });
  const descriptions = await readObjects(root, new Set(found.map(({ hash }) => hash)));
  const authors = await authorsOf(root, head);
  return found.flatMap(({ path, hash, transcript }) => {
    const described = parseObject(descriptions.get(hash) ?? '') ?? {};
    const session = text(described.session_id);
    if (session === '') return [];
    const author = authors.get(path) ?? '';
    const { hash: object, bytes } = transcript;
    return [{ session, agent: text(described.agent), author, transcript: object, bytes }];
  });
}

async function authorsOf(root: string, head: string): Promise<Map<string, string>> {
  const authors = new Map<string, string>();
  const log = (await gitIn(root, ['log', '--format=%x1e%an', '--name-only', head], timeoutMs)) ?? '';
  for (const commit of log.split('\x1e')) {
    const [author = '', ...paths] = commit.split('\n');
    for (const path of paths) if (path !== '' && !authors.has(path)) authors.set(path, author);
  }
  return authors;
}
