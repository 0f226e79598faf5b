import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { onEnd } from '../../harness/cleanup.ts';
import { atLeast, type Bar, type Evaluation, exactly, showProgress } from '../../harness/evaluation.ts';
import { createHome, type Home } from '../../harness/home.ts';
import { installPackage } from '../../harness/package.ts';
import { hookCalls } from '../../support/hook-calls.ts';
import { hostileKeys, type ProgramRun, plantPrograms, type TrapLog } from '../../support/hostile-config.ts';
import { filesUnder, git } from '../../support/sandbox.ts';
import { embedded, type Placement, placements } from './placements.ts';
import { usePlainGit } from './plain-git.ts';
import { type Called, callCommands, callHooks, callTools, drain } from './surfaces.ts';

const programKeys = hostileKeys.filter(({ value }) => value === undefined);
const secret = 'Bluebird-7f3a';
const email = 't@example.org';

/** Keys to leave out in each round. With some keys, git never uses others, so each of them is left out once. */
const rounds = [
  /^(?:gpg\.program|remote\.origin\.vcs|filter\.\w+\.(?:clean|smudge))$/,
  /^(?:gpg\.\w+\.program|filter\.evil\.process|diff\.external|core\.fsmonitor)$/,
];

interface Tally {
  calls: number;
  sprung: ProgramRun[];
  /** Configuration keys whose programs plain git ran in the same checkouts. */
  springable: Set<string>;
  /** Placements in which plain git ran no program at all. These prove nothing. */
  dead: string[];
  network: number;
  /** Network attempts of plain git in the same places. */
  plainNetwork: number;
  read: string[];
  written: string[];
}

/**
 * Creates repositories whose git configuration names programs and addresses, in every way in which one can reach a
 * machine. Every command, tool and hook of the installed package is called in them, next to a project of the user whose
 * remote they claim. None may run such a program or use the network. Then plain git runs in the same places, to prove
 * that the programs can run.
 */
export const provenance: Evaluation = {
  name: 'provenance',
  summary:
    'hostile git configurations × every command, tool and hook: no program run, no fetch, no foreign memory',
  file: import.meta.filename,
  measures: [
    'src/git',
    'src/memory/projects',
    'src/base/checkout-file.ts',
    'src/base/path-in-checkout.ts',
    'src/cmd/wiring.ts',
  ],
  async run({ isShort }) {
    const installed = installPackage();
    const used = isShort ? placements.slice(0, 3) : placements;
    const tally: Tally = {
      calls: 0,
      sprung: [],
      springable: new Set(),
      dead: [],
      network: 0,
      plainNetwork: 0,
      read: [],
      written: [],
    };
    let clones = 0;
    for (const [round, without] of (isShort ? rounds.slice(0, 1) : rounds).entries()) {
      const victim = await createVictim(createHome(installed));
      clones += (await isToldInClone(victim)) ? 1 : 0;
      for (const [at, placement] of used.entries()) {
        await attack(victim, placement, { round, without, isShort }, tally);
        showProgress(round * used.length + at + 1, used.length * rounds.length);
      }
      judgeVictim(victim, tally);
    }
    const bars: Record<string, Bar> = {
      'configuration keys that name a program': atLeast(programKeys.length, 40),
      'programs, hooks and addresses that plain git ran in the same places': atLeast(
        tally.springable.size,
        isShort ? 6 : 20,
      ),
      'network attempts of plain git': atLeast(tally.plainNetwork, 1),
      'places where plain git ran none': exactly(tally.dead.length, 0),
      'true clones that were told the memory': exactly(clones, isShort ? 1 : rounds.length),
      'programs run': exactly(tally.sprung.length, 0),
      'network attempts': exactly(tally.network, 0),
      'foreign memory read': exactly(tally.read.length, 0),
      'foreign memory written': exactly(tally.written.length, 0),
    };
    for (const line of [
      ...tally.sprung.map(({ key, by }) => `${key}${by}`),
      ...tally.read,
      ...tally.written,
      ...tally.dead,
    ])
      process.stderr.write(`${line}\n`);
    return {
      n: tally.calls * programKeys.length,
      figures: {
        placements: used.length,
        'calls of the product': tally.calls,
        'keys run by plain git': [...tally.springable].sort().join(' '),
      },
      bars,
    };
  },
};

interface Victim {
  home: Home;
  /** Folder of the project's memory. */
  folder: string;
  port: number;
  connections(): number;
}

/** The user's project, with a decision that no other project may see. */
async function createVictim(home: Home): Promise<Victim> {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.destroy();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onEnd(() => server.close());
  const { port } = server.address() as { port: number };
  git(home.repo, 'commit', '-q', '--allow-empty', '-m', `start ${secret}`);
  git(home.repo, 'remote', 'add', 'origin', `http://127.0.0.1:${port}/acme/app.git`);
  git(home.home, 'config', '--file', join(home.home, '.gitconfig'), 'user.email', email);
  const remembered = home.cli(
    'remember',
    `We decided to keep the code name ${secret} out of charge because legal asked.`,
  );
  if (remembered.status !== 0) throw new Error(remembered.stderr);
  for (const call of hookCalls(home.repo, { session: 'victim' })) home.hook(call);
  await drain(home);
  return { home, folder: home.projectFolder(), port, connections: () => count };
}

/** Positive control: in a real clone of the user's project, the same question does find the secret. */
async function isToldInClone({ home, port }: Victim): Promise<boolean> {
  git(home.home, 'clone', '-q', `file://${home.repo}`, 'true-clone');
  const clone = join(home.home, 'true-clone');
  git(clone, 'remote', 'set-url', 'origin', `http://127.0.0.1:${port}/acme/app.git`);
  return home.cliIn(clone, 'recall', 'charge').stdout.includes(secret);
}

interface Attack {
  round: number;
  without: RegExp;
  isShort: boolean;
}

async function attack(
  victim: Victim,
  placement: Placement,
  { round, without, isShort }: Attack,
  tally: Tally,
): Promise<void> {
  const { home, port } = victim;
  const name = placement.name.replaceAll(' ', '-');
  const [folder, programs] = ['work', 'programs'].map((kind) => join(home.home, kind, name)) as [
    string,
    string,
  ];
  for (const path of [folder, programs]) mkdirSync(path, { recursive: true });
  const traps: TrapLog = plantPrograms(programs);
  const url = `${round === 0 ? 'http' : 'git'}://127.0.0.1:${port}/acme/app.git`;
  const mark = markOf(name);
  const cwd = placement.make({ folder, victim: home.repo, url, email, mark, traps, without });
  traps.programsRun();
  const before = victim.connections();
  const workplace = { home, cwd, file: placement.file, session: name };
  const called: Called[] = [
    ...(await callHooks(workplace)),
    ...(await callTools(workplace)),
    ...(await callCommands(workplace, isShort)),
    ...(await callHooks({ ...workplace, session: `${name}-again` })),
  ];
  tally.calls += called.length;
  tally.sprung.push(...traps.programsRun());
  tally.network += victim.connections() - before;
  tally.read.push(
    ...called
      .filter(({ said }) => said.includes(secret))
      .map(({ call }) => `${placement.name}: ${call} told ${secret}`),
  );
  const connected = victim.connections();
  await usePlainGit(cwd, home.home);
  tally.plainNetwork += victim.connections() - connected;
  const plain = traps.programsRun();
  for (const { key } of plain) tally.springable.add(key);
  const isPointing = plain.length === 0 && git(cwd, 'log', '--format=%s').includes(secret);
  if (plain.length === 0 && !isPointing) tally.dead.push(`${placement.name}: plain git runs nothing`);
}

const markOf = (name: string): string => `Hostile-${name}`;

/** Text of hostile authors must not be in the user's project, and the user's secret must not be in another. */
function judgeVictim({ home, folder }: Victim, tally: Tally): void {
  for (const { path, bytes } of filesUnder(join(home.backstory, 'projects'))) {
    const text = bytes.toString('latin1');
    if (path.startsWith(folder)) {
      const found = placements.filter(({ name }) => text.includes(markOf(name.replaceAll(' ', '-'))));
      tally.written.push(...found.map(({ name }) => `${name}: written to ${path}`));
    } else if (text.includes(secret)) tally.read.push(`${path} holds ${secret}`);
    // The history of an embedded directory belongs to no project.
    else if (
      text.includes(markOf(embedded.name.replaceAll(' ', '-'))) &&
      text.includes('We decided to always run')
    )
      tally.written.push(`${embedded.name}: its history is in ${path}`);
  }
  const known = JSON.parse(readFileSync(join(folder, 'project.json'), 'utf8')) as { paths: string[] };
  const foreign = known.paths.filter((path) => path.includes('/work/'));
  tally.written.push(...foreign.map((path) => `${path} belongs to ${basename(folder)}`));
  const prelude = home.cli('prelude').stdout;
  if (!prelude.includes(secret)) tally.written.push('the prelude of the project has lost its decision');
  if (prelude.includes('Hostile-')) tally.written.push('the prelude of the project tells hostile words');
}
