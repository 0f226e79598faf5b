import { execFileSync } from 'node:child_process';
import { createPlayedProject, type PlayedProject } from '../../../bench/sessions/play.ts';
import { statementSections } from '../../../src/knowledge/wanted-lines.ts';
import { drain } from '../../../src/memory/drain.ts';
import { forget } from '../../../src/memory/notes/forget.ts';
import { notePartsOf } from '../../../src/memory/notes/note-parts.ts';
import { shareNote } from '../../../src/memory/notes/share.ts';
import { recall } from '../../../src/recall/recall.ts';
import { thoroughLimits } from '../../../src/recall/with-index.ts';
import { temporaryFolder } from '../../harness/cleanup.ts';
import { atLeast, type Bar, type Evaluation, exactly, showProgress } from '../../harness/evaluation.ts';
import { createRandom } from '../../harness/random.ts';
import { filesUnder } from '../../support/sandbox.ts';
import type { Attack } from './attack.ts';
import { channels } from './channels.ts';
import { type Hostile, inventHostile } from './hostile.ts';
import { installedSelfApproval } from './installed-self-approval.ts';
import { names } from './names.ts';

/** Each attack has its own file. */
const attacks: Attack[] = [names, installedSelfApproval];

/**
 * Hostile texts enter through every channel for text that the user did not write. Notes are extracted from them
 * and offered for sharing. Then the evaluation searches for the texts in the
 * preludes (the context of new sessions), where none may be. It also counts how many can be recalled, because text that
 * never arrived proves nothing. At the end every source is forgotten.
 */
export const poison: Evaluation = {
  name: 'poison',
  summary: 'hostile texts, names and agents that approve: none reaches a prelude, and all can be forgotten',
  file: import.meta.filename,
  measures: [
    'src/memory/prelude',
    'src/memory/notes',
    'src/memory/prompt-context',
    'src/memory/capture/capture.ts',
    'src/memory/capture/commits.ts',
    'src/distil',
    'src/knowledge',
    'src/store/repo',
    'src/store/foreign',
    'src/agents/agent-shell.ts',
    'src/agents/processes.ts',
    'src/cmd/detect-caller.ts',
    'src/domain/caller.ts',
    'src/cli/run-command.ts',
    'src/cli/commands.ts',
    'src/mcp/remember.ts',
    'src/http/guard.ts',
    'src/http/login.ts',
    'src/http/notes.ts',
    'src/http/memory.ts',
    'src/base/sign-in-codes.ts',
    'src/hooks',
    'src/git/own-commits.ts',
    'src/text/fence.ts',
    'src/text/hidden-characters.ts',
    'src/text/plain-words.ts',
    'src/text/safe-name.ts',
  ],
  async run({ isShort, seed }) {
    const each = isShort ? 12 : 60;
    const random = createRandom(seed);
    const bars: Record<string, Bar> = {};
    const figures: Record<string, number | string> = {};
    let inPrelude = 0;
    let shared = 0;
    let known = 0;
    let recalled = 0;
    let left = 0;
    let back = 0;
    for (const [at, channel] of channels.entries()) {
      const texts = inventHostile(each, random);
      const project = createPlayedProject(temporaryFolder('poison'), `poison-${at}`);
      await channel.enter(project, texts);
      await afterwards(project);
      const found = await countRecalled(project, texts);
      figures[`recalled when asked, by ${channel.name}`] = found;
      recalled += found;
      inPrelude += countTold(project, texts);
      known += await countKnown(project, texts);
      shared += await countShared(project, texts);
      for (const source of channel.sources(project)) await forgetSource(project, source);
      left += countLeft(project, texts);
      await afterwards(project);
      back += countLeft(project, texts);
      inPrelude += countTold(project, texts);
      showProgress(at + 1, channels.length);
    }
    bars['hostile texts'] = atLeast(each * channels.length, isShort ? 70 : 300);
    bars['of them recalled when asked'] = atLeast(recalled, 1);
    bars['told to a new session'] = exactly(inPrelude, 0);
    bars['shared without review'] = exactly(shared, 0);
    bars['in the knowledge file'] = exactly(known, 0);
    bars['left in a file after forget --source'] = exactly(left, 0);
    bars['back after another drain'] = exactly(back, 0);
    let attempts = each * channels.length;
    for (const attack of attacks) {
      const outcome = await attack({ isShort, random });
      attempts += outcome.tries;
      Object.assign(figures, outcome.figures);
      Object.assign(bars, outcome.bars);
    }
    bars.attempts = atLeast(attempts, isShort ? 400 : 1_500);
    return { n: attempts, figures, bars };
  },
};

/** Does everything that could raise the trust of a text: note extraction, use, and reading the files again. */
async function afterwards({ parts, root }: PlayedProject): Promise<void> {
  await drain(parts);
  execFileSync('git', ['init', '-q'], { cwd: root });
  await drain(parts);
}

/** Counts the texts that `backstory knowledge` would write into a file of the repository. */
async function countKnown({ parts }: PlayedProject, texts: Hostile[]): Promise<number> {
  const sections = statementSections(await parts.notes.list(), parts.project);
  const known = JSON.stringify(sections);
  return texts.filter(({ mark }) => known.includes(mark)).length;
}

async function countRecalled({ parts }: PlayedProject, texts: Hostile[]): Promise<number> {
  let found = 0;
  for (const { mark } of texts) {
    const { hits } = await recall(parts, { text: mark }, thoroughLimits);
    if (
      hits.some(({ chunk }) => chunk.text.includes(mark) || chunk.paths.some((path) => path.includes(mark)))
    )
      found += 1;
  }
  return found;
}

/**
 * Counts the texts in the prelude (the context of new sessions) and in the hook output for a session that starts,
 * resumes or was compacted.
 */
function countTold(project: PlayedProject, texts: Hostile[]): number {
  const received = [
    project.prelude(),
    ...['startup', 'compact', 'resume'].map((source) => project.sessionStart(source)),
  ].join('\n');
  return texts.filter(({ mark }) => received.includes(mark)).length;
}

/** Offers every note to `share`, and counts those with a hostile text that it accepts. */
async function countShared({ parts, root }: PlayedProject, texts: Hostile[]): Promise<number> {
  let shared = 0;
  for (const note of await parts.notes.list()) {
    if (!texts.some(({ mark }) => `${note.title} ${note.text}`.includes(mark))) continue;
    try {
      shareNote(notePartsOf(parts), root, note);
      shared += 1;
    } catch {
      // Refused, as expected.
    }
  }
  return shared;
}

async function forgetSource({ parts }: PlayedProject, source: string): Promise<void> {
  await forget(parts, { ids: [], source }, notePartsOf(parts).context);
}

function countLeft({ parts }: PlayedProject, texts: Hostile[]): number {
  const all = [...filesUnder(parts.paths.home)].map(
    ({ path, bytes }) => `${path}\n${bytes.toString('latin1')}`,
  );
  return texts.filter(({ mark }) => all.some((text) => text.includes(mark))).length;
}
