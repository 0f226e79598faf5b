import { homedir } from 'node:os';
import { join } from 'node:path';
import { agentFolders } from '../agents/settings.ts';
import { transcriptRoots } from '../agents/transcripts.ts';
import { systemClock } from '../base/clock.ts';
import { type Config, projectConfig } from '../base/config.ts';
import { homePaths } from '../base/paths.ts';
import type { App } from '../cli/command.ts';
import type { Place } from '../domain/project.ts';
import { writeEverywhere } from '../memory/prelude/everywhere-lines.ts';
import { type Activation, activationOf } from '../memory/projects/activation.ts';
import { deviceOf } from '../memory/projects/device.ts';
import { recordFailure } from '../memory/projects/failures.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import { teamNoteFiles } from '../memory/team-cache.ts';
import { openLedger } from '../spend/ledger.ts';
import { checkLog } from '../store/events/check-log.ts';
import { createEventLog } from '../store/events/event-log.ts';
import { createProjectNotes } from '../store/notes/project-notes.ts';
import { createIndexAccess } from '../store/sqlite/open-index.ts';
import { chooseWriter } from './choose-writer.ts';
import { loadBuiltIn } from './load-embedder.ts';
import { packageVersion, programFolder } from './package.ts';
import { expectLongRun } from './startup-tuning.ts';
import { useProxy } from './use-proxy.ts';

/** The concrete parts of the program. Only this folder chooses them; the others see interfaces. */
export interface Wiring extends Pick<App, 'version' | 'paths' | 'userHome' | 'agentFolders' | 'context'> {
  programs: App['programs'] & Record<'drain' | 'indexCode' | 'parseCode' | 'grammars' | 'model', string>;
  open(project: string): OpenProject;
  /** Whether Backstory may store anything for a folder of the checkout, by default its root. */
  activation(place: Place, cwd?: string): Activation;
}

export function wire(): Wiring {
  const { env } = process;
  silenceSqliteWarning();
  useProxy(env);
  const userHome = homedir();
  const paths = homePaths(env.BACKSTORY_HOME || join(userHome, '.backstory'));
  const loginName = env.USER ?? env.USERNAME ?? '';
  const folders = agentFolders(env, userHome);
  const settings = (project: string) => projectConfig(paths, project);
  const wiring: Wiring = {
    version: packageVersion(),
    paths,
    userHome,
    agentFolders: folders,
    programs: {
      node: process.execPath,
      main: join(programFolder, 'main.js'),
      hook: join(programFolder, 'hook.cjs'),
      warmHooks: join(programFolder, 'warm-hooks.cjs'),
      mcp: join(programFolder, 'mcp.js'),
      drain: join(programFolder, 'drain.js'),
      serve: join(programFolder, 'serve.js'),
      indexCode: join(programFolder, 'index-code.js'),
      parseCode: join(programFolder, 'parse-code.js'),
      grammars: join(programFolder, 'grammars'),
      model: join(programFolder, 'models', 'static-en.bin'),
      plugins: join(programFolder, 'plugins'),
      skill: join(programFolder, 'skills'),
    },
    open(id) {
      const own = paths.project(id);
      const config = settings(id);
      const ledger = openLedger(paths.ledger, systemClock);
      const write = chooseWriter(config, { paths, ledger, codexFolder: folders.codex.config });
      const access = createIndexAccess(
        {
          folder: own.index,
          lock: own.writerLock,
          project: id,
          isLogDamaged: () => checkLog(own.events).damage.length > 0,
        },
        systemClock,
      );
      return {
        ...(config.embed === 'off' ? {} : { embedder: () => loadBuiltIn(wiring.programs.model) }),
        ...(write === undefined ? {} : { write, modelCalls: { ledger, since: writeSinceOf(config) } }),
        project: id,
        paths,
        log: createEventLog(own.events, systemClock),
        notes: createProjectNotes(own.notes, paths.everywhere, {
          onUnreadable: (file, error) => recordFailure(paths.failures, file, error, systemClock),
          onEverywhereChange: (notes) => writeEverywhere(paths, notes),
          team: teamNoteFiles(own.teamMemories),
        }),
        access: {
          ...access,
          forWriting: () => {
            expectLongRun();
            return access.forWriting();
          },
        },
        // Read on first use, because it creates a file, and a read-only command must not create one.
        get device() {
          return deviceOf(paths.device);
        },
        actor: config.actor || loginName,
        exclude: config.exclude,
        retentionDays: config.retentionDays,
        userHome,
        variables: env,
        transcriptRoots: transcriptRoots(folders),
        clock: systemClock,
      };
    },
    activation(place, cwd = place.root) {
      const switchedOff = ['BACKSTORY_OFF', 'BACKSTORY_INTERNAL'].find((name) => env[name] === '1');
      return switchedOff === undefined
        ? activationOf(paths, { ...place, cwd, userHome }, systemClock)
        : { on: false, reason: `${switchedOff} is set` };
    },
    context(place, mayWrite = true) {
      return {
        device: mayWrite ? deviceOf(paths.device).id : '',
        actor: settings(place.project).actor || loginName,
        agent: 'backstory',
        agentVersion: wiring.version,
        agentSession: '',
        clientPid: 0,
        project: place.project,
        checkout: place.checkout,
        branch: place.branch,
        head: place.head,
      };
    },
  };
  return wiring;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Without a configured time, only sessions of the last day are sent to the model, not the whole history. */
const writeSinceOf = ({ writer: { since } }: Config): number =>
  since === undefined ? systemClock.now() - dayMs : Date.parse(since);

/** On the oldest supported Node, node:sqlite prints a warning that users can do nothing about. */
function silenceSqliteWarning(): void {
  const emit = process.emitWarning.bind(process);
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (String(warning).includes('SQLite is an experimental feature')) return;
    (emit as (...all: unknown[]) => void)(warning, ...rest);
  }) as typeof process.emitWarning;
}

/**
 * Stops V8's young generation from growing, which long background work does not need. On a large import this reduced
 * the peak memory from 270 MB to 140 MB.
 */
export function limitYoungGeneration(): void {
  process.getBuiltinModule('node:v8').setFlagsFromString('--semi-space-growth-factor=1');
}
