import type { DriftState } from '../../src/wire/answers/memory.ts';
import type { Random } from '../../test/harness/random.ts';
import type { Donors } from '../why/donors.ts';
import type { Block } from './blocks.ts';

/** A change that the evaluation makes to a block of code, and the drift label that is expected afterwards. */
export interface Fate {
  name: string;
  truth: DriftState;
  /** Files to write, by path; undefined removes one. */
  files: Map<string, string | undefined>;
  /** Path of the block afterwards, if it still exists. */
  path?: string;
  /** For `git mv`. */
  rename?: { from: string; to: string };
}

interface Scene {
  block: Block;
  /** The lines of the file with the block. */
  lines: string[];
  donors: Donors;
  random: Random;
  /** Another file in a related language, with its lines. It is not changed in any other way. */
  other: { path: string; lines: string[] };
}

type Maker = (scene: Scene) => Omit<Fate, 'name'> | undefined;

const text = (lines: string[]): string => lines.join('\n');
const only = (path: string, lines: string[] | undefined): Map<string, string | undefined> =>
  new Map([[path, lines === undefined ? undefined : text(lines)]]);

const changeWord = (line: string, random: Random): string =>
  line.replace(/[A-Za-z_]{4,}/, (word) => `${word}${random.pick(['Next', 'Other', 'Safe', '2'])}`);

const isWorded = (line: string): boolean => /[A-Za-z_]{4,}/.test(line);

/** Blank lines outside of the block, where code can be inserted. */
const gapsOf = (lines: string[]): number[] => lines.flatMap((line, at) => (line.trim() === '' ? [at] : []));

function inserted({ lines, donors, block, random }: Scene, at: number): string[] {
  const own = donors.block(block.path, random.whole(2, 9));
  return [...lines.slice(0, at), ...own, ...lines.slice(at)];
}

function without({ lines, block }: Scene): string[] {
  return [...lines.slice(0, block.from), ...lines.slice(block.to)];
}

function edited({ lines, block, random }: Scene, share: number): string[] | undefined {
  const places = block.lines.flatMap((line, at) => (isWorded(line) ? [block.from + at] : []));
  const count = Math.max(1, Math.round(places.length * share));
  const chosen = new Set(random.shuffled(places).slice(0, count));
  const made = lines.map((line, at) => (chosen.has(at) ? changeWord(line, random) : line));
  return made.some((line, at) => line !== lines[at]) ? made : undefined;
}

const isSmall = ({ kind }: Block): boolean => kind === 'lines';

export const makers: Record<string, Maker> = {
  unchanged: ({ block, lines }) => ({
    truth: 'current',
    path: block.path,
    files: only(block.path, [...lines.slice(0, -1), '', lines.at(-1) as string]),
  }),
  'lines put above': (scene) => ({
    truth: 'current',
    path: scene.block.path,
    files: only(scene.block.path, inserted(scene, scene.random.whole(0, Math.max(0, scene.block.from - 1)))),
  }),
  reindented: ({ block, lines }) => {
    const hasTabs = lines.some((line) => line.startsWith('\t'));
    const made = lines.map((line) =>
      hasTabs
        ? line.replace(/^\t+/, (tabs) => '    '.repeat(tabs.length))
        : line.replace(/^(?: {2})+/, (spaces) => '\t'.repeat(spaces.length / 2)),
    );
    return { truth: 'current', path: block.path, files: only(block.path, made) };
  },
  'moved in its file': (scene) => {
    const { block, lines } = scene;
    if (isSmall(block)) return undefined;
    const rest = without(scene);
    const length = block.to - block.from;
    const gaps = gapsOf(rest).filter((at) => Math.abs(at - block.from) > length + 8);
    if (gaps.length === 0) return undefined;
    const at = scene.random.pick(gaps);
    const made = [...rest.slice(0, at), '', ...block.lines, ...rest.slice(at)];
    return lines.length < 3 * length
      ? undefined
      : { truth: 'moved', path: block.path, files: only(block.path, made) };
  },
  'moved to another file': (scene) => {
    const { block, other, random } = scene;
    if (isSmall(block)) return undefined;
    const at = random.pick([...gapsOf(other.lines), other.lines.length - 1]);
    const made = [...other.lines.slice(0, at), '', ...block.lines, ...other.lines.slice(at)];
    return {
      truth: 'moved',
      path: other.path,
      files: new Map([
        [block.path, text(without(scene))],
        [other.path, text(made)],
      ]),
    };
  },
  'file renamed': ({ block, random }) => {
    const to = renamed(block.path, random);
    return { truth: 'moved', path: to, files: new Map(), rename: { from: block.path, to } };
  },
  'file renamed and edited': (scene) => {
    const to = renamed(scene.block.path, scene.random);
    const made = edited(scene, 0.3);
    if (made === undefined || scene.lines.length < 80) return undefined;
    return { truth: 'changed', path: to, files: only(to, made), rename: { from: scene.block.path, to } };
  },
  'a line edited': (scene) => {
    const made = edited(scene, 0);
    return made && { truth: 'changed', path: scene.block.path, files: only(scene.block.path, made) };
  },
  'half of it edited': (scene) => {
    const made = edited(scene, 0.5);
    return made && { truth: 'changed', path: scene.block.path, files: only(scene.block.path, made) };
  },
  'all of it edited': (scene) => {
    const made = edited(scene, 1);
    return made && { truth: 'changed', path: scene.block.path, files: only(scene.block.path, made) };
  },
  'some lines taken out': (scene) => {
    const { block, lines, random } = scene;
    const worded = block.lines.flatMap((line, at) => (isWorded(line) ? [block.from + at] : []));
    if (worded.length < 4) return undefined;
    const gone = new Set(random.shuffled(worded).slice(0, Math.ceil(worded.length / 4)));
    return {
      truth: 'changed',
      path: block.path,
      files: only(
        block.path,
        lines.filter((_, at) => !gone.has(at)),
      ),
    };
  },
  removed: (scene) => ({ truth: 'gone', files: only(scene.block.path, without(scene)) }),
  'removed, with something else put there': (scene) => {
    const { block, donors, random } = scene;
    if (isSmall(block)) return undefined;
    const rest = without(scene);
    const own = donors.block(block.path, random.whole(3, 9));
    return {
      truth: 'gone',
      files: only(block.path, [...rest.slice(0, block.from), ...own, ...rest.slice(block.from)]),
    };
  },
  'file removed': ({ block }) => ({ truth: 'gone', files: only(block.path, undefined) }),
};

function renamed(path: string, random: Random): string {
  const at = path.lastIndexOf('/') + 1;
  return `${path.slice(0, at)}${random.pick(['new', 'own', 'core'])}${random.whole(10, 99)}-${path.slice(at)}`;
}

export function makeFate(scene: Scene, name: string): Fate | undefined {
  const made = makers[name]?.(scene);
  return made && { name, ...made };
}
