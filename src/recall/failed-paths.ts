import type { Edit } from '../domain/edit.ts';
import type { FailedPath, Quote } from '../domain/failed-path.ts';
import { isFailureReport } from '../text/failure-report.ts';
import { rejectionsIn } from '../text/rejections.ts';
import type { Evidence } from './evidence.ts';
import { quoteOf } from './quote.ts';
import { revertedEdits } from './reverted-edits.ts';

/** So much of an edit must be gone before it counts as taken back, not as worked on. */
const minGoneShare = 0.8;
const maxShown = 2;
const maxSaid = 20;

/** What was written in a file and removed again by the session that wrote it, newest first. */
export async function failedPathsIn(path: string, evidence: Evidence): Promise<FailedPath[]> {
  const edits = await evidence.editsOfFile(path);
  const isThrownAway = await revertedEdits(path, edits, evidence);
  const takenBack = edits
    .filter((edit) => isTakenBack(edit, edits) || isThrownAway(edit))
    .filter(
      (edit, at, all) =>
        all.findIndex(
          ({ turn, agentSession }) => turn === edit.turn && agentSession === edit.agentSession,
        ) === at,
    )
    .slice(0, maxShown);
  return Promise.all(takenBack.map((edit) => told(path, edit, edits, evidence)));
}

async function told(path: string, edit: Edit, edits: Edit[], evidence: Evidence): Promise<FailedPath> {
  const { agent, agentSession, turn, at, hunks } = edit;
  const inTurn = { agentSession, ...(turn === '' ? {} : { turn }) };
  const [prompt] = await evidence.chunks({ ...inTurn, kinds: ['prompt'], until: at }, 1);
  const after =
    turn === ''
      ? []
      : await evidence.chunks({ ...inTurn, kinds: ['answer', 'command'], since: at }, maxSaid, 'oldest');
  const later = edits.filter((each) => each.agentSession === agentSession && each.at > at);
  const end = Math.min(...later.map((each) => each.at));
  const failure = after.find((each) => each.kind === 'command' && each.at <= end && each.isFailed === true);
  const verdict = after
    .filter(({ kind }) => kind === 'answer')
    .flatMap((chunk): Quote[] => {
      const sentence = rejectionsIn(chunk.text).find(isVerdict);
      return sentence === undefined ? [] : [{ ...quoteOf(chunk), text: sentence }];
    });
  return {
    path,
    agent,
    agentSession,
    at,
    lines: hunks.reduce((sum, { added }) => sum + added.length, 0),
    ...(prompt === undefined ? {} : { prompt: quoteOf(prompt) }),
    ...(verdict[0] === undefined ? {} : { verdict: verdict[0] }),
    ...(failure === undefined ? {} : { failure: quoteOf(failure) }),
  };
}

/** Not every alternative that was turned down had been tried. */
const isVerdict = (sentence: string): boolean =>
  isFailureReport(sentence) ||
  /\b(?:tried|revert|rolled back|backed out|gave up|abandon|too slow)/i.test(sentence);

/** Gone means removed and not written again: a line that was only moved, or changed around, was not given up. */
function isTakenBack(edit: Edit, edits: Edit[]): boolean {
  const written = new Set(edit.hunks.flatMap(({ added }) => added));
  const later = edits.filter(({ agentSession, at }) => agentSession === edit.agentSession && at > edit.at);
  if (written.size === 0 || later.length === 0) return false;
  const balance = new Map<string, number>();
  for (const { added, removed } of later.flatMap(({ hunks }) => hunks)) {
    for (const line of removed) balance.set(line, (balance.get(line) ?? 0) - 1);
    for (const line of added) balance.set(line, (balance.get(line) ?? 0) + 1);
  }
  const gone = [...written].filter((line) => (balance.get(line) ?? 0) < 0).length;
  // Lines that give way to as many others are a next version of the same attempt, unless what stood there came back.
  return gone / written.size >= minGoneShare && restores(edit, later);
}

/** The lines that the edit had replaced stand there again, or it had replaced none and nothing took its place. */
function restores(edit: Edit, later: Edit[]): boolean {
  const replaced = edit.hunks.flatMap(({ removed }) => removed);
  const added = new Set(later.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.added)));
  if (replaced.length > 0)
    return replaced.filter((line) => added.has(line)).length / replaced.length >= minGoneShare;
  const written = new Set(edit.hunks.flatMap((hunk) => hunk.added));
  return later.some(({ hunks }) =>
    hunks.some((hunk) => hunk.added.length === 0 && hunk.removed.some((line) => written.has(line))),
  );
}
