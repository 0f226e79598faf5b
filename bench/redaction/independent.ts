import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { redact } from '../../src/memory/redact/redact.ts';
import { atLeast, atMost, type Bar, type Outcome, round } from '../../test/harness/evaluation.ts';
import { createHome, type Home } from '../../test/harness/home.ts';
import { promptInput, sessionStartInput, stopInput } from '../../test/harness/hook-input.ts';
import { installPackage } from '../../test/harness/package.ts';
import { createRandom } from '../../test/harness/random.ts';
import { filesUnder, git, settle } from '../../test/support/sandbox.ts';
import { findWithGitleaks } from './gitleaks.ts';
import {
  type Channel,
  type Filled,
  fillItem,
  type IndependentSet,
  type InnocentItem,
  readIndependentSet,
} from './independent-set.ts';

/**
 * Sends the independent set through the installed package: each text in its hook payload or commit, then a drain
 * (background indexing), then a search of every byte below the Backstory home. A secret is redacted if neither it nor
 * the form it was sent in is found. A harmless text is a false positive if anything in it was masked.
 */
export async function scoreIndependent(outcome: Outcome, seed: number, isShort: boolean): Promise<void> {
  const set = readIndependentSet();
  if (set === undefined) {
    outcome.bars.independentKeptOutPercent = missing('>= 90');
    return;
  }
  const { figures, bars } = outcome;
  const { kept, leaked } = await sendSecrets(set, seed);
  const masked = await sendInnocent(set, isShort);
  const heldOutInnocent = set.innocent.filter(isHeldOut);
  const percent = (some: Filled[]): number =>
    round((100 * some.filter(({ id }) => kept.has(id)).length) / Math.max(1, some.length));
  const all = [...kept.values(), ...leaked];
  outcome.n += all.length + set.innocent.length;
  figures.independentSecrets = all.length;
  figures.independentInnocent = set.innocent.length;
  const heldOut = all.filter(isHeldOut);
  figures.independentHeldOutSecrets = heldOut.length;
  figures.independentDevelopmentPercent = percent(all.filter((item) => !isHeldOut(item)));
  for (const name of new Set(heldOut.map((item) => item.class)))
    figures[`held-out ${name} %`] = percent(heldOut.filter((item) => item.class === name));
  figures.independentFalsePositives = masked.join(' ');
  figures.independentGitleaksPercent = gitleaksPercent(all);
  bars.independentKeptOutPercent = atLeast(percent(heldOut), 90);
  bars.independentVendorBarePercent = atLeast(
    percent(heldOut.filter((item) => item.class === 'vendor-bare')),
    85,
  );
  const wronglyMasked = heldOutInnocent.filter(({ id }) => masked.includes(id));
  bars.independentFalsePositivePercent = atMost(
    round((100 * wronglyMasked.length) / Math.max(1, heldOutInnocent.length)),
    1,
  );
}

/**
 * True for items with an odd number. Authors of redaction rules do not read these, and only the share that is found is
 * reported.
 */
const isHeldOut = ({ id }: { id: string }): boolean => Number(id.slice(1)) % 2 === 1;

const missing = (goal: string): Bar => ({ goal, value: 'unavailable: no independent-set.json', ok: false });

async function sendSecrets({ secrets }: IndependentSet, seed: number) {
  const random = createRandom(seed);
  const filled = secrets.map((item) => fillItem(item, random));
  const home = createHome(installPackage());
  const send = createSender(home);
  for (const item of filled) send(item.channel, item.id, item.text);
  await finish(home);
  const files = [...filesUnder(home.backstory)];
  const isLeaked = ({ traces }: Filled): boolean =>
    files.some(({ bytes }) => traces.some((trace) => bytes.includes(trace)));
  const leaked = filled.filter(isLeaked);
  const kept = new Map(filled.filter((item) => !leaked.includes(item)).map((item) => [item.id, item]));
  return { kept, leaked };
}

/** The short form calls the redactor directly; the full form checks what the installed package wrote. */
async function sendInnocent({ innocent }: IndependentSet, isShort: boolean): Promise<string[]> {
  const masked = new Set(innocent.filter(({ text }) => redact(text) !== text).map(({ id }) => id));
  if (isShort) return [...masked];
  const home = createHome(installPackage());
  const send = createSender(home);
  for (const { channel, id, text } of innocent) send(channel, id, text);
  await finish(home);
  for (const event of home.events()) {
    const turn = 'turn' in event.body ? event.body.turn : undefined;
    if (turn !== undefined && isMasked(JSON.stringify(event), turn, innocent)) masked.add(turn);
  }
  return [...masked];
}

const isMasked = (json: string, turn: string, innocent: InnocentItem[]): boolean =>
  /\[redacted:/.test(json) && innocent.some(({ id, text }) => id === turn && !text.includes('[redacted:'));

async function finish(home: Home): Promise<void> {
  await home.drainsEnded();
  home.cli('drain');
  settle(home);
}

const perSession = 20;

/** Sends one text through one channel, as Claude Code would. The turn is named after the item. */
function createSender(home: Home) {
  let sent = 0;
  const sendAs = (channel: Channel, id: string, text: string): void => {
    const session = `independent-${Math.floor(sent / perSession)}`;
    const where = { cwd: home.repo, session };
    if (sent++ % perSession === 0) home.hook(sessionStartInput(where));
    const tool = (name: string, input: object, response: object, error?: string): void =>
      void home.hook({
        session_id: session,
        transcript_path: '',
        cwd: home.repo,
        hook_event_name: error === undefined ? 'PostToolUse' : 'PostToolUseFailure',
        prompt_id: id,
        tool_name: name,
        tool_use_id: `use-${id}`,
        tool_input: input,
        tool_response: response,
        ...(error === undefined ? {} : { error }),
      });
    const ways: Record<Channel, () => void> = {
      prompt: () => void home.hook(promptInput(where, id, text)),
      answer: () => void home.hook(stopInput(where, id, text)),
      'bash-input': () => tool('Bash', { command: text }, { stdout: 'ok', stderr: '' }),
      'bash-output': () => tool('Bash', { command: './run.sh' }, { stdout: text, stderr: '' }),
      'tool-failure': () => tool('Bash', { command: './run.sh' }, {}, `Exit code 1\n${text}`),
      write: () => {
        const filePath = join(home.repo, 'src', 'written.txt');
        tool(
          'Write',
          { file_path: filePath, content: text },
          { type: 'create', filePath, content: text, structuredPatch: [] },
        );
      },
      path: () => {
        const filePath = text.startsWith('/') ? text : join(home.repo, text);
        tool(
          'Read',
          { file_path: filePath },
          { file: { filePath, content: 'one line', numLines: 1, startLine: 1 } },
        );
      },
      commit: () => void git(home.repo, 'commit', '-q', '--allow-empty', '-m', text),
      // A line of a file in the checkout, then the value through another channel without its name.
      env: () => {
        const [path = '', line = '', next = 'prompt', said = ''] = text.split('|');
        mkdirSync(dirname(join(home.repo, path)), { recursive: true });
        appendFileSync(join(home.repo, path), `${line}\n`);
        sendAs(next as Channel, id, said);
      },
    };
    ways[channel]();
  };
  return sendAs;
}

/** The share that gitleaks finds in the same texts. */
function gitleaksPercent(all: Filled[]): number | string {
  try {
    const found = findWithGitleaks(all.map(({ text }) => text));
    const isFound = ({ traces }: Filled, at: number): boolean =>
      (found[at] ?? []).some((secret) =>
        traces.some(
          (trace) => secret.includes(trace) || (trace.includes(secret) && secret.length * 2 >= trace.length),
        ),
      );
    return round((100 * all.filter(isFound).length) / Math.max(1, all.length));
  } catch (error) {
    return `unavailable: ${String(error instanceof Error ? error.message : error).slice(0, 120)}`;
  }
}
