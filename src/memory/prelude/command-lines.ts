import { localDay } from '../../base/clock.ts';
import { readJson, writeJson } from '../../base/files.ts';
import { hashId } from '../../base/hash.ts';
import type { ProjectPaths } from '../../base/paths.ts';
import type { Chunk } from '../../domain/chunk.ts';
import {
  commandLine,
  isCheck,
  isWorthKnowing,
  type ObservedCommand,
} from '../../recall/observed-commands.ts';
import type { PreludeLine } from './prelude-file.ts';

const maxLines = 4;
const maxRecalled = 40;

/** The commands of the project that are worth knowing, the most used first. Consists of bare commands only. */
export const commandLines = (commands: ObservedCommand[]): PreludeLine[] =>
  commands
    .filter(isWorthKnowing)
    .slice(0, maxLines)
    .map((command) => ({
      section: 'Commands here' as const,
      text: observedText(command),
      reason: 'seen by Backstory',
      event: command.last.event,
      line: hashId('command', command.folder, command.command),
    }));

function observedText(seen: ObservedCommand): string {
  const { command, folder, passed, failed, last, instead, asked } = seen;
  const what = `\`${command}\`${folder === '' ? '' : ` in ${folder}`}`;
  const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);
  const day = localDay(last.at);
  if (passed === 0)
    return `failed ${times(failed)}, never seen to pass, last ${day}: ${what}${instead === undefined ? '' : `; what passed instead: \`${instead}\``}`;
  const counts = `passed ${times(passed)}${failed === 0 ? '' : `, failed ${times(failed)}`}`;
  const by = asked === undefined ? '' : 'you asked for it; ';
  return `${by}${counts}, ${last.isFailed ? 'failed last,' : 'last'} ${day}: ${what}`;
}

/** A command whose result was never seen says nothing, and of one session its own runs say more. */
const mayRecall = (one: ObservedCommand): boolean =>
  one.passed + one.failed > 0 && ((one.sessions > 1 && isCheck(one)) || isWorthKnowing(one));

interface ObservedFile {
  v: 1;
  commands: {
    text: string;
    event: string;
    at: number;
    run: string;
    hasPassed: boolean;
    isWorthKnowing: boolean;
    instead?: string;
  }[];
}

/** Stores what was observed, so that recall need not count. Derived from the events. */
export const writeObserved = ({ observed }: Pick<ProjectPaths, 'observed'>, all: ObservedCommand[]): void =>
  writeJson(observed, {
    v: 1,
    commands: all
      .filter(mayRecall)
      .slice(0, maxRecalled)
      .map((one) => ({
        text: observedText(one),
        event: one.last.event,
        at: one.last.at,
        run: commandLine(one),
        hasPassed: one.passed > 0,
        isWorthKnowing: isWorthKnowing(one),
        ...(one.instead === undefined ? {} : { instead: one.instead }),
      })),
  } satisfies ObservedFile);

export const readObserved = ({ observed }: Pick<ProjectPaths, 'observed'>): ObservedFile['commands'] => {
  const file = readJson<ObservedFile>(observed);
  return file?.v === 1 ? file.commands : [];
};

/** What was observed of each of them, as chunks that recall searches beside its index. The last run is its source. */
export const observedChunks = (own: Pick<ProjectPaths, 'observed'>, project: string): Chunk[] =>
  readObserved(own).map(({ text, event, at }) => ({
    id: event,
    project,
    source: 'event',
    sourceId: event,
    kind: 'fact',
    origin: 'system',
    trust: 1,
    agent: 'backstory',
    agentSession: '',
    turn: '',
    branch: '',
    at,
    paths: [],
    concepts: [],
    pinned: false,
    text: `Command run here: ${text}`,
  }));
