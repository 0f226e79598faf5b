import { join } from 'node:path';
import { installAgents } from '../../../scripts/install-agents.ts';
import { type Evaluation, exactly } from '../../harness/evaluation.ts';
import { type InstalledPackage, installPackage } from '../../harness/package.ts';
import { addPerson, type TeamDatabase, withTeamDatabase } from '../../harness/team/database.ts';
import { type ServedTeam, serveTeam } from '../../harness/team/serve.ts';
import { text } from '../../support/fake-model.ts';
import { startAsPerson } from '../../support/person.ts';
import { type Laptop, openLaptop } from './laptop.ts';

const decision =
  'We decided to keep retries in Postgres instead of Redis because Redis lost jobs on failover.';
/** Words of the decision that occur nowhere else. */
const mark = 'Redis lost jobs on failover';
const ownThought = 'Privately I doubt that the queue needs retries at all.';
const onTheTrain = 'Deploys go out on Tuesdays because support is staffed then.';

interface Pulled {
  isAway: boolean;
  pushed: number;
  pulled: number;
  forgottenHere: number;
  forgottenThere: number;
  queued: number;
}

interface Status {
  fromTeam: number;
  toReview: number;
  queued: number;
}

/** Failures, by the limit of the evaluation that they violate. */
type Faults = Record<
  | 'told before approval'
  | 'not told after approval'
  | 'not labelled'
  | 'left after forgetting'
  | 'came back'
  | 'lost'
  | 'doubled'
  | 'private text at the server'
  | 'stopped by being offline'
  | 'kills that hit nothing',
  number
>;

/**
 * Two laptops and one server: the installed package, two HOMEs, the real Claude Code with the scripted model, and real
 * Postgres. What one laptop learned reaches the other's agent, but only after approval. The server becomes unreachable
 * and returns, once during a sync. What is forgotten on one laptop is removed from the server and the other laptop.
 */
export const teamSync: Evaluation = {
  name: 'team-sync',
  summary:
    'Two laptops with real Claude Code and one team server: share, approve, go offline, crash, forget.',
  async run({ isShort }) {
    installAgents(['claude-code-2.1.325']);
    const installed = installPackage();
    const rounds = isShort ? 1 : 3;
    const many = isShort ? 120 : 400;
    const faults: Faults = {
      'told before approval': 0,
      'not told after approval': 0,
      'not labelled': 0,
      'left after forgetting': 0,
      'came back': 0,
      lost: 0,
      doubled: 0,
      'private text at the server': 0,
      'stopped by being offline': 0,
      'kills that hit nothing': 0,
    };
    const figures: Record<string, number | string> = { rounds, 'notes in flight at the kill': many };
    for (let round = 0; round < rounds; round++)
      await withTeamDatabase('sync', (team) => work(installed, team, many, faults, figures));
    return {
      n: rounds,
      figures,
      bars: Object.fromEntries(Object.entries(faults).map(([name, count]) => [name, exactly(count, 0)])),
    };
  },
};

async function work(
  installed: InstalledPackage,
  team: TeamDatabase,
  many: number,
  faults: Faults,
  figures: Record<string, number | string>,
): Promise<void> {
  const [ann, bob] = [openLaptop(installed, 'ann'), openLaptop(installed, 'bob')];
  // The agent works before either laptop has joined.
  await ann.session(decision);
  const local = ann.sandbox.projectFolder().split('/').at(-1) as string;
  const org = await team.operation.createOrg('acme');
  const project = await team.operation.createProject(org, 'queue', uuid(local));
  const people = {
    ann: await addPerson(team.operation, org, 'ann', { [project]: 'member' }),
    bob: await addPerson(team.operation, org, 'bob', { [project]: 'member' }),
  };
  let server = await serveTeam(installed, team.url);
  const port = new URL(server.url).port;
  const restart = async (): Promise<ServedTeam> => serveTeam(installed, team.url, '--port', port);
  try {
    ann.joinByToken(server.url, people.ann.token);
    await bob.joinByCode(server.url, people.bob.token);
    ann.run('remember', ownThought);
    await shareAndApprove(ann, bob, faults);
    await server.close();
    await offline(ann, bob, faults);
    server = await restart();
    await afterwards(ann, bob, faults);
    const kill = {
      installed,
      server,
      many,
      isUnderWay: async () => (await countAtServer(team, project)).all > 1,
    };
    await killInTheMiddle(ann, kill);
    const arrived = (await countAtServer(team, project)).all - 1;
    figures['of them there when it was killed'] = arrived;
    faults['kills that hit nothing'] += arrived > 0 && arrived < many ? 0 : 1;
    server = await restart();
    ann.team('push');
    bob.team('pull');
    const stored = await countAtServer(team, project);
    const expected = many + 1;
    faults.lost += Math.max(0, expected - stored.distinct) + Math.max(0, expected - bob.notes());
    faults.doubled += stored.all - stored.distinct + Math.max(0, bob.notes() - expected);
    figures['notes at the server, and on the other laptop'] = `${stored.all}, ${bob.notes()}`;
    faults['private text at the server'] += stored.isPrivateThere ? 1 : 0;
  } finally {
    await server.close();
  }
}

async function shareAndApprove(ann: Laptop, bob: Laptop, faults: Faults): Promise<void> {
  const note = ann.noteSaying(mark) ?? '';
  ann.team('push', note);
  // The end of a turn triggers the sync, so nobody has to type a command on Bob's laptop before his session.
  const first = await bob.session('Look around.');
  for (let tries = 0; bob.team<Status>('status').fromTeam === 0 && tries < 20; tries++)
    await new Promise((resolve) => setTimeout(resolve, 500));
  if (bob.team<Status>('status').toReview !== 1) faults.lost += 1;
  const second = await bob.session('Where do the retries live?', {
    steps: [
      [{ type: 'tool_use', name: 'mcp__backstory__recall', input: { query: 'where do retries live' } }],
      text('In Postgres.'),
    ],
  });
  const [opening = '', ...later] = second.split('\n');
  if (first.includes(mark) || opening.includes(mark)) faults['told before approval'] += 1;
  const found = later.join('\n');
  if (!found.includes(mark) || !found.includes('not reviewed · just now · team queue, note by ann'))
    faults['not labelled'] += 1;
  bob.run('review', '--accept', note);
  bob.run('prelude');
  const third = await bob.session('Go on.');
  if (!third.includes(`ann noted: ${decision.slice(0, 40)}`)) faults['not told after approval'] += 1;
}

/** While the server is unreachable, both laptops continue to work; one writes, shares and forgets. */
async function offline(ann: Laptop, bob: Laptop, faults: Faults): Promise<void> {
  try {
    await ann.session('Work goes on without the server.');
    await bob.session('Here too.');
    ann.run('remember', onTheTrain);
    const pushed = ann.team<Pulled>('push', ann.noteSaying(onTheTrain) ?? '');
    if (!pushed.isAway || pushed.queued !== 1) faults['stopped by being offline'] += 1;
    ann.run('forget', ann.noteSaying(mark) ?? '', '--yes');
  } catch (error) {
    process.stderr.write(`${String(error)}\n`);
    faults['stopped by being offline'] += 1;
  }
}

async function afterwards(ann: Laptop, bob: Laptop, faults: Faults): Promise<void> {
  const sent = ann.team<Pulled>('pull');
  if (sent.pushed !== 1) faults.lost += 1;
  const brought = bob.team<Pulled>('pull');
  if (brought.forgottenHere < 1 || bob.noteSaying(onTheTrain) === undefined) faults.lost += 1;
  const received = await bob.session('What do we know?');
  const left = [...ann.filesSaying(mark), ...bob.filesSaying(mark)];
  if (received.includes(mark) || left.length > 0) {
    process.stderr.write(
      `left after forgetting: ${left.join(' ')} ${received.includes(mark) ? 'prelude' : ''}\n`,
    );
    faults['left after forgetting'] += 1;
  }
  for (const laptop of [ann, bob, ann, bob]) laptop.team('pull');
  if (ann.noteSaying(mark) !== undefined || bob.noteSaying(mark) !== undefined) faults['came back'] += 1;
}

interface Kill {
  installed: InstalledPackage;
  server: ServedTeam;
  many: number;
  /** Whether the server has received the first of many notes. */
  isUnderWay(): Promise<boolean>;
}

/** Kills the server while hundreds of notes are being pushed. */
async function killInTheMiddle(ann: Laptop, { installed, server, many, isUnderWay }: Kill): Promise<void> {
  await ann.writeSharedNotes(many);
  let isOver = false;
  const main = join(installed.folder, 'dist', 'main.js');
  const ended = startAsPerson([main, 'team', 'push'], {
    cwd: ann.sandbox.repo,
    env: ann.sandbox.env,
  }).finally(() => {
    isOver = true;
  });
  while (!isOver && !(await isUnderWay())) await new Promise((resolve) => setTimeout(resolve, 5));
  process.kill(server.pid, 'SIGKILL');
  await ended;
}

async function countAtServer({ owner }: TeamDatabase, project: string) {
  const rows = await owner.query<{ text: string }>('select text from backstory.memory where project = $1', [
    project,
  ]);
  const texts = rows.map(({ text: said }) => said);
  return {
    all: texts.length,
    distinct: new Set(texts).size,
    isPrivateThere: texts.some((said) => said.includes(ownThought)),
  };
}

const uuid = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
