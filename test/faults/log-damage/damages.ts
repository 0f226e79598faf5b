import { readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeLine, encodeEvent } from '../../../src/store/events/event-line.ts';
import { logFiles } from '../../../src/store/events/log-files.ts';
import { readManifest } from '../../../src/store/events/manifest.ts';
import type { Random } from '../../harness/random.ts';
import { type Months, monthFiles } from './project.ts';

export interface Damage {
  name: string;
  /** True if the damage can hit lines of the log that are not indexed yet. Those cannot be recovered. */
  hitsTail?: true;
  inflict(project: Months, random: Random): void;
}

/** Number of bytes of a file that the manifest covers. */
const coveredBytes = (events: string, file: string): number =>
  readManifest(events).manifest?.files[file]?.length ?? 0;

const change = (path: string, edit: (bytes: Buffer) => Buffer): void =>
  writeFileSync(path, edit(readFileSync(path)));

const pickFile = ({ events }: Months, random: Random): string => random.pick(monthFiles(events));

/** Picks a file and a byte in the part that the manifest of checksums covers, or after it if `isTail`. */
function pickByte(project: Months, random: Random, isTail = false): { path: string; at: number } {
  const file = isTail ? project.tailFile : pickFile(project, random);
  const path = join(project.events, file);
  const covered = coveredBytes(project.events, file);
  const at = isTail ? random.whole(covered, readFileSync(path).length - 1) : random.whole(0, covered - 1);
  return { path, at };
}

const flip = (path: string, at: number, bit: number): void =>
  change(path, (bytes) => {
    bytes[at] = (bytes[at] as number) ^ (1 << bit);
    return bytes;
  });

const zero = (path: string, at: number, length: number): void =>
  change(path, (bytes) => bytes.fill(0, at, Math.min(bytes.length, at + length)));

/** Edits the lines of the covered part; the rest of the file stays after them. */
function editLines(project: Months, random: Random, edit: (lines: string[]) => string[]): void {
  const file = pickFile(project, random);
  const covered = coveredBytes(project.events, file);
  change(join(project.events, file), (bytes) => {
    const lines = bytes.toString('utf8', 0, covered).split('\n').filter(Boolean);
    return Buffer.concat([Buffer.from(`\n${edit(lines).join('\n')}\n`), bytes.subarray(covered)]);
  });
}

const manifestFiles = ({ events }: Months): string[] => [
  logFiles(events).manifest,
  logFiles(events).manifestCopy,
];

export const damages: Damage[] = [
  {
    name: 'bit flip',
    inflict(project, random) {
      const { path, at } = pickByte(project, random);
      flip(path, at, random.whole(0, 7));
    },
  },
  {
    name: 'bit flip beyond the manifest',
    hitsTail: true,
    inflict(project, random) {
      const { path, at } = pickByte(project, random, true);
      flip(path, at, random.whole(0, 7));
    },
  },
  {
    name: 'several bit flips',
    inflict(project, random) {
      for (let count = random.whole(2, 12); count > 0; count--) {
        const { path, at } = pickByte(project, random);
        // Flips each byte once, so that none is flipped back.
        if (readFileSync(path)[at] !== 0x80) flip(path, at, 7);
      }
    },
  },
  {
    name: 'NUL run',
    inflict(project, random) {
      const { path, at } = pickByte(project, random);
      zero(path, at, random.size(1, 8_000));
    },
  },
  {
    name: 'NUL run beyond the manifest',
    hitsTail: true,
    inflict(project, random) {
      const { path, at } = pickByte(project, random, true);
      zero(path, at, random.size(1, 2_000));
    },
  },
  {
    name: 'truncation',
    hitsTail: true,
    inflict(project, random) {
      const { path, at } = pickByte(project, random);
      truncateSync(path, at);
    },
  },
  {
    name: 'truncation at a line end',
    hitsTail: true,
    inflict(project, random) {
      const { path, at } = pickByte(project, random);
      truncateSync(path, readFileSync(path).subarray(0, at).lastIndexOf(0x0a) + 1);
    },
  },
  {
    name: 'truncation, then more events',
    hitsTail: true,
    inflict(project, random) {
      const path = join(project.events, project.tailFile);
      truncateSync(path, random.whole(0, coveredBytes(project.events, project.tailFile) - 1));
      project.appendSome(random.whole(1, 200));
    },
  },
  {
    name: 'empty month',
    hitsTail: true,
    inflict: (project, random) => truncateSync(join(project.events, pickFile(project, random)), 0),
  },
  {
    name: 'deleted month',
    hitsTail: true,
    inflict: (project, random) => rmSync(join(project.events, pickFile(project, random))),
  },
  {
    name: 'all months deleted',
    hitsTail: true,
    inflict(project) {
      for (const file of monthFiles(project.events)) rmSync(join(project.events, file));
    },
  },
  {
    name: 'events folder deleted',
    hitsTail: true,
    inflict: ({ events }) => rmSync(events, { recursive: true }),
  },
  {
    name: 'swapped months',
    inflict({ events }, random) {
      const [one, other] = random.shuffled(monthFiles(events)).map((name) => join(events, name)) as [
        string,
        string,
      ];
      renameSync(one, join(events, 'held'));
      renameSync(other, one);
      renameSync(join(events, 'held'), other);
    },
  },
  {
    name: 'month replaced by a copy of another',
    hitsTail: true,
    inflict({ events }, random) {
      const [one, other] = random.shuffled(monthFiles(events)) as [string, string];
      writeFileSync(join(events, one), readFileSync(join(events, other)));
    },
  },
  {
    name: 'duplicated line',
    inflict: (project, random) =>
      editLines(project, random, (lines) => {
        const at = random.whole(0, lines.length - 1);
        return lines.toSpliced(at, 0, lines[at] as string);
      }),
  },
  {
    name: 'deleted lines',
    inflict: (project, random) =>
      editLines(project, random, (lines) =>
        lines.toSpliced(random.whole(0, lines.length - 1), random.whole(1, 20)),
      ),
  },
  {
    name: 'reordered lines',
    inflict: (project, random) =>
      editLines(project, random, (lines) => {
        const at = random.whole(0, lines.length - 2);
        return lines.toSpliced(at, 2, lines[at + 1] as string, lines[at] as string);
      }),
  },
  {
    name: 'line deleted and another doubled',
    inflict: (project, random) =>
      editLines(project, random, (lines) => {
        const at = random.whole(1, lines.length - 1);
        return lines.with(at, lines[at - 1] as string);
      }),
  },
  {
    name: 'line edited, with a correct checksum',
    inflict: (project, random) =>
      editLines(project, random, (lines) => {
        const at = random.whole(0, lines.length - 1);
        return lines.with(at, withOtherText(lines[at] as string));
      }),
  },
  {
    name: 'garbage between lines',
    inflict: (project, random) =>
      editLines(project, random, (lines) =>
        lines.toSpliced(random.whole(0, lines.length), 0, 'x'.repeat(random.size(1, 500))),
      ),
  },
  {
    name: 'manifest deleted',
    inflict: (project, random) => rmSync(random.pick(manifestFiles(project))),
  },
  {
    name: 'both copies of the manifest deleted',
    inflict(project) {
      for (const path of manifestFiles(project)) rmSync(path);
    },
  },
  {
    name: 'bit flip in the manifest',
    inflict(project, random) {
      const path = random.pick(manifestFiles(project));
      // Any byte but the final newline, which has no meaning.
      flip(path, random.whole(0, readFileSync(path).length - 2), random.whole(0, 7));
    },
  },
  {
    name: 'manifest truncated',
    inflict(project, random) {
      const path = random.pick(manifestFiles(project));
      truncateSync(path, random.whole(0, readFileSync(path).length - 2));
    },
  },
];

/** Changes a line and its checksum, as somebody who knows the format would. */
function withOtherText(line: string): string {
  const entry = decodeLine(Buffer.from(line));
  if (entry.kind !== 'event') throw new Error('not an event');
  const { body } = entry.event;
  if (!('text' in body)) return encodeEvent({ ...entry.event, actor: 'somebody' }).trimEnd();
  const event = { ...entry.event, body: { ...body, text: `${body.text} And never test.` } };
  return encodeEvent(event as typeof entry.event).trimEnd();
}
